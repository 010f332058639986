"""The modules `machine` and `network` of a Pico W, as far as hw/node/board.py uses them."""
import sys

pins = {}      # number: level
handlers = {}  # number: its interrupt
hard = {}      # number: whether the interrupt is a hard one


class Pin:
    IN, OUT, PULL_UP, PULL_DOWN, IRQ_RISING, IRQ_FALLING = 0, 1, 1, 2, 8, 4

    def __init__(self, number, mode=None, pull=None):
        self.number = number
        pins.setdefault(number, 1 if pull == Pin.PULL_UP else 0)

    def value(self, level=None):
        if level is not None:
            pins[self.number] = level
        return pins[self.number]

    def irq(self, handler, trigger, hard=False):
        handlers[self.number] = handler
        globals()["hard"][self.number] = hard


def change(number, level):
    pins[number] = level
    handlers[number](None)


class ADC:
    def __init__(self, pin):
        pass

    def read_u16(self):
        return round(1.8 / 3.3 * 65535)


class WDT:
    def __init__(self, timeout):
        assert timeout <= 8388  # the most that a Pico takes

    def feed(self):
        pass


class WLAN:
    PM_NONE = 0x10

    def __init__(self, interface):
        self.joined = False

    def active(self, on):
        pass

    def config(self, pm):
        assert pm == WLAN.PM_NONE

    def isconnected(self):
        return self.joined

    def connect(self, name, password):
        self.joined = name == "table"

    def disconnect(self):
        pass

    def status(self, what):
        return -61


class Module:
    pass


def clear():
    """Forgets what an earlier test did."""
    for store in (pins, handlers, hard):
        store.clear()


def install():
    """Takes the place of the real modules."""
    machine, network = Module(), Module()
    machine.Pin, machine.ADC, machine.WDT = Pin, ADC, WDT
    network.WLAN, network.STA_IF = WLAN, 0
    sys.modules["machine"], sys.modules["network"] = machine, network
