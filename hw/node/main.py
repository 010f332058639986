"""Starts the node. MicroPython runs this file when the board gets power."""
import sys
from binascii import hexlify
from os import urandom

import settings
from board import Board
from node import Node

BLINK_SETTINGS = 1
BLINK_FAULT = 5


def load(board):
    """The settings. With a mistake in the file it blinks and repeats the sentence for ever."""
    while True:
        try:
            with open(settings.FILE) as file:
                return settings.read(file.read(), board)
        except OSError:
            print("%s is missing: copy it to the board." % settings.FILE)
        except (settings.Mistake, UnicodeError) as mistake:
            print(mistake)
        board.blink(BLINK_SETTINGS)


def main(board):
    chosen = load(board)
    try:
        board.start(chosen)
        Node(board, chosen, hexlify(urandom(4)).decode()).run()
    except Exception as fault:
        # Nobody reads a traceback at the table: show the code and start again.
        sys.print_exception(fault)
        board.blink(BLINK_FAULT)
        board.restart()


if __name__ == "__main__":
    main(Board())
