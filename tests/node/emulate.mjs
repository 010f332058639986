// Runs the node program in MicroPython for the Pico on an emulated RP2040, with an encoder at its pins:
//   node emulate.mjs PROJECT PLACE FIRMWARE BOOTROM EDGES_PER_SECOND EDGES [intervals]
// PLACE has node_modules with rp2040js. FIRMWARE is the .bin of MicroPython for RPI_PICO, BOOTROM the 16 KiB
// of the RP2040. The emulator knows the cycles of the instructions, not the waits for the flash memory.
import { readFileSync } from "node:fs";

const [project, place, firmware, bootrom, rate, edges, intervals] = process.argv.slice(2);
const emulator = `${place}/node_modules/rp2040js/dist/esm`;
const { Simulator, USBCDC } = await import(`${emulator}/index.js`);
const { ConsoleLogger, LogLevel } = await import(`${emulator}/utils/logging.js`);

const FILES = ["edges", "report", "mqtt", "settings", "node", "board"];
const SETTINGS = `[node]
name = reel
watchdog = no
[wifi]
name = any
[broker]
host = any
[inputs]
encoder = GP14 GP15 pull-up active-low
`;
const QUADRATURE = [[14, false], [15, false], [14, true], [15, true]];
const TYPING_BYTES = 400; // the queue of the emulated port has 512
const TYPING_MS = 20;

const text = (path) => readFileSync(`${project}/${path}`, "utf8");
const files = FILES.map((name) => [name, text(`hw/node/${name}.py`)]);
const program = `${text("tests/node/emulated.py")}
run(${JSON.stringify(files)}, ${edges}, ${JSON.stringify(SETTINGS)}, ${intervals ? "True" : "False"})
`;

const simulator = new Simulator();
const chip = simulator.rp2040;
chip.logger = new ConsoleLogger(LogLevel.Error);
const rom = readFileSync(bootrom);
chip.loadBootrom(new Uint32Array(rom.buffer.slice(rom.byteOffset, rom.byteOffset + rom.length)));
chip.flash.set(readFileSync(firmware), 0);
const serial = new USBCDC(chip.usbCtrl);
const send = (bytes) => bytes.forEach((byte) => serial.sendSerialByte(byte));

let turned = 0;
const encoder = simulator.clock.createAlarm(() => {
  const [pin, level] = QUADRATURE[turned++ % QUADRATURE.length];
  chip.gpio[pin].setInputValue(level);
  if (turned < edges) encoder.schedule(1e9 / rate);
});

function type(bytes) {
  if (!bytes.length) return send(Buffer.from("\x04"));
  send(bytes.subarray(0, TYPING_BYTES));
  setTimeout(() => type(bytes.subarray(TYPING_BYTES)), TYPING_MS);
}

// What is waited for, and what follows it.
const steps = [
  [">>> ", () => send(Buffer.from("\x01"))],
  ["raw REPL", () => {
    chip.gpio[14].setInputValue(true);
    chip.gpio[15].setInputValue(true);
    type(Buffer.from(program));
  }],
  ["READY", () => encoder.schedule(1e8)],
  ["END", () => process.exit(0)],
];
let heard = "";
serial.onDeviceConnected = () => send(Buffer.from("\r\n"));
serial.onSerialData = (bytes) => {
  heard += Buffer.from(bytes).toString();
  process.stdout.write(Buffer.from(bytes));
  while (steps.length && heard.includes(steps[0][0])) {
    heard = heard.slice(heard.indexOf(steps[0][0]) + steps[0][0].length);
    steps.shift()[1]();
  }
};
chip.core.PC = 0x10000000;
simulator.execute();
