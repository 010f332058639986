"""All access to hardware: pins, LED, clock, Wi-Fi. The tests replace this file with scripted pins.

For the Raspberry Pi Pico W and Pico 2 W (rp2) and the ESP32-C3 (esp32), with MicroPython 1.25 or newer.
"""
import sys
import time

import machine
import network
from edges import record
from machine import ADC, Pin
from stream import Stream

WIFI_MS = 15000
CONNECT_S = 5  # below the 8 s of the watchdog
WATCHDOG_MS = 8000

ticks_us = time.ticks_us  # faster to find in an interrupt


class Board:
    def __init__(self, platform=sys.platform):
        self.pico = platform == "rp2"
        # Without the pins of the radio (Pico W), and of flash, USB and boot mode (ESP32-C3).
        self.pins = tuple(range(23)) + (26, 27, 28) if self.pico else (0, 1, 3, 4, 5, 6, 7, 10, 20, 21)
        self.adc_pins = (26, 27, 28) if self.pico else (0, 1, 3, 4)
        # The ESP32 port queues pin interrupts, at most eight, and runs them late: times are less exact,
        # and a fast encoder overflows the queue. The Pico runs them at once.
        self.counts_encoder = self.pico
        self.led = Pin("LED" if self.pico else 8, Pin.OUT)
        self.light(False)
        self.wifi = network.WLAN(network.STA_IF)
        self.stream = None
        self.watchdog = None
        self.battery_of = None
        self.ticks_us, self.ticks_ms, self.ticks_diff = time.ticks_us, time.ticks_ms, time.ticks_diff

    def start(self, settings):
        """After the settings are known to be good: a watchdog would interrupt whoever corrects them."""
        if settings.battery:
            pin, divider, empty, full = settings.battery
            self.battery_of = (ADC(Pin(pin)), divider, empty, full)
        if settings.get("node", "watchdog") == "yes":
            self.watchdog = machine.WDT(timeout=WATCHDOG_MS)

    def watch(self, inputs, edges):
        pulls = {"up": Pin.PULL_UP, "down": Pin.PULL_DOWN, None: None}
        for index, one in enumerate(inputs):
            pin = Pin(one.pin, Pin.IN, pulls[one.pull])
            self.watch_pin(pin, index, 1 if one.active_low else 0, edges)

    def watch_pin(self, pin, index, inverted, edges):
        edges.set_level(index, pin.value() ^ inverted)
        ring, value = edges.ring, pin.value

        def interrupt(_):
            # Four variables from outside are the most that MicroPython passes without allocating memory.
            record(ring, index, value() ^ inverted, ticks_us())

        trigger = Pin.IRQ_RISING | Pin.IRQ_FALLING
        if self.pico:
            pin.irq(interrupt, trigger, hard=True)
        else:
            pin.irq(interrupt, trigger)

    def light(self, on):
        # The LED of the usual ESP32-C3 boards is connected to 3.3 V.
        self.led.value(on if self.pico else not on)

    def blink(self, times):
        for _ in range(times):
            self.light(True)
            self.pause(250)
            self.light(False)
            self.pause(250)
        self.pause(1000)

    def pause(self, ms):
        self.feed()
        time.sleep_ms(ms)

    def rest(self):
        """Between two steps of the main loop: two milliseconds are short against the delay of the radio."""
        self.pause(2)

    def feed(self):
        if self.watchdog:
            self.watchdog.feed()

    def restart(self):
        machine.reset()

    def join_wifi(self, name, password):
        self.wifi.active(True)
        # Power saving delays messages by up to a few hundred milliseconds.
        self.wifi.config(pm=network.WLAN.PM_NONE)
        if not self.wifi.isconnected():
            self.wifi.connect(name, password)
        started = time.ticks_ms()
        while not self.wifi.isconnected():
            if time.ticks_diff(time.ticks_ms(), started) > WIFI_MS:
                self.wifi.disconnect()
                raise OSError("not in range, or it refuses the password")
            self.pause(100)

    def rssi(self):
        return self.wifi.status("rssi")

    def battery(self):
        if not self.battery_of:
            return None
        adc, divider, empty, full = self.battery_of
        volts = adc.read_u16() * 3.3 / 65535 * divider
        return max(0, min(100, round(100 * (volts - empty) / (full - empty))))

    def connect(self, host, port):
        self.feed()
        self.stream = Stream(host, port, CONNECT_S)
        self.light(True)  # on while connected
        return self.stream

    def disconnect(self):
        self.light(False)
        if self.stream:
            self.stream.close()
            self.stream = None
