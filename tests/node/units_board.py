"""Tests of the files that touch the board, in the unix port of MicroPython with a fake `machine`."""
import fake_machine
import micropython
from boards import CANNON, Finished, VirtualBoard
from edges import Edges
from run_tests import equal, run_tests
from settings import read

fake_machine.install()
import board as board_file
import main


def test_main_repeats_the_mistake_and_blinks_until_the_file_is_right():
    fake_machine.clear()
    board = VirtualBoard()
    board.after(2000, board.finish)
    with open("node.ini", "w") as file:
        file.write(CANNON.replace("GP14", "GP99"))
    try:
        main.main(board)
    except Finished:
        pass
    equal(board.codes, [1, 1])


def test_main_starts_again_after_a_fault_of_the_program():
    fake_machine.clear()
    board = VirtualBoard()
    board.join_wifi = lambda name, password: 1 // 0
    with open("node.ini", "w") as file:
        file.write(CANNON)
    main.main(board)
    equal((board.codes, board.restarted), ([5], True))


def test_board_interrupts_record_levels_and_allocate_no_memory():
    fake_machine.clear()
    board = board_file.Board("rp2")
    settings = read(CANNON + "tilt = GP5 pull-down\n", board)
    edges = Edges(3)
    pins = fake_machine.pins
    pins[5] = 1
    board.watch(settings.inputs, edges)
    equal(edges.levels(), [0, 0, 1])
    micropython.heap_lock()
    try:
        fake_machine.change(14, 0)
        fake_machine.change(5, 0)
    finally:
        micropython.heap_unlock()
    equal(edges.take(9, 0, lambda *_: 0)[::2], [1, 4])
    equal(fake_machine.hard, {14: True, 15: True, 5: True})


def test_board_measures_the_battery_and_gives_up_a_missing_wifi():
    fake_machine.clear()
    board_file.WIFI_MS = 5
    board = board_file.Board("rp2")
    board.start(read(CANNON + "[battery]\npin = GP26\nempty_v = 3.0\nfull_v = 4.2\n", board))
    equal(board.battery(), 50)  # 1.8 V at the pin
    try:
        board.join_wifi("elsewhere", "")
    except OSError as error:
        assert "not in range" in str(error)
        return
    raise AssertionError("joined")


run_tests(globals())
