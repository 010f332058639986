// Runs units.py in the MicroPython that npm has: quick.mjs PROJECT PLACE. It has neither sockets nor pins.
import { readdirSync, readFileSync } from "node:fs";

const [project, place] = process.argv.slice(2);
const name = "@micropython/micropython-webassembly-pyscript";
const { loadMicroPython } = await import(`${place}/node_modules/${name}/micropython.mjs`);
const micropython = await loadMicroPython({
  stdout: (line) => line.endsWith("; trying again") || console.log(line),
});

for (const folder of [`${project}/hw/node`, `${project}/tests/node`]) {
  for (const file of readdirSync(folder).filter((file) => /\.(py|ini)$/.test(file))) {
    // This build has no compiler to machine code: all runs as bytecode.
    const text = readFileSync(`${folder}/${file}`, "utf8").replace(/ *@micropython.(viper|native)\n/g, "");
    micropython.FS.writeFile(file, text);
  }
}
micropython.runPython(readFileSync(`${project}/tests/node/units.py`, "utf8"));
