export { openOutput, outputTarget } from './output-target.js'
export { noteRunRoots, runRootOf } from './run-roots.js'
export { WholeFile } from './whole-file.js'
export { writeOutput } from './write-output.js'
