/** Opens the run in the directory it is given, says so, and holds it until it is killed. */
import { RunOutput } from '../../../src/replay/run-output.js'

await RunOutput.open(process.argv[2] ?? '', true)
process.stdout.write('held\n')
setInterval(() => undefined, 1000)
