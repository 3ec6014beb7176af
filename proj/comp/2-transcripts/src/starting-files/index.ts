export { keptContents } from './kept-contents.js'
export { CONTENTS, contentsIn, requireFitStart, startIn, STARTING_PATH } from './read-starting.js'
export { StartingFiles, type StartingSink } from './starting-files.js'
export { bytesOfContent, type KeptContent, type StartingPath } from './starting-model.js'
