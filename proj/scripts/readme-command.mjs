/** Prints a command of README.md: the one-line `sh` sample whose number is given, 1 for the first. */
import { readFileSync } from 'node:fs'

const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const samples = [...text.matchAll(/^```sh\n([^\n]+)\n```$/gm)].map(([, command]) => command)
const command = samples[Number(process.argv[2]) - 1]
if (command === undefined) throw new Error(`README.md has ${samples.length} samples of one line`)
console.log(command)
