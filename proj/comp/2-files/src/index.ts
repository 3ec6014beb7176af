export {
  canonicalDirectory, canonicalOf, createPathGate, denialOf, DENY_PATTERNS, isInside, requireOtherFiles,
  type ClosedPlace, type Output,
} from './policy/index.js'
export {
  chunksNamedAs, CLOCK_STEP_MS, decodeInput, decodeStream, decodeUtf8, DiskFiles, ENCODING, errorNamedAs,
  fileError, formatNodeError, ForwardedFiles, getByteLength, getParentDirectory, HeldFile, ifExists, inParent,
  isExecutable, MAX_DIFF_BYTES, namedAs, OverlayFiles, looksBinary, readRegular, readText, RecordedFiles, removeTree,
  runDirectory, stateDirectory, tooLarge, visible, withExecutable, type DecodeOptions, type FileUse,
} from './store/index.js'
export {
  approveEntryIfAllowed, approveIfAllowed, approvePath, checkNotElided, checkSize, fileToWrite, isDenied, linksOf,
  MissingPath, missingPath, notesOf, overwriteCheck, parentNotes, parentsOf, pathError, pathShower, readExisting,
  readExistingBytes, readNotes, relatedVerbs, requireFile, wasReplaced, withinLimit, withParents, writeNotes,
  writeText, writeWithParents, writtenForm,
} from './paths/index.js'
export {
  checkSignal, compareNames, compilePattern, IgnoreRules, isDependencyFolder, isFilledByTools, rulesAbove, Unreadable,
  walk, type FolderSurroundings, type PathPattern, type WalkedEntry, type WalkOptions,
} from './walk/index.js'
export {
  contentAddress, isContentAddress, openContentStore, packTree, TreeCache, unfitPath, type ContentStore,
} from './content-store/index.js'
export { acquireRootLock, isHeldBy, LockFile, lockHolder, runAtWork } from './locks/index.js'
export {
  createWhole, fillFrom, linkTarget, replaceByTemp, replaceUnchanged, TEMP_PREFIX, tempBeside, writeOwn, writeWhole,
} from './atomic-write/index.js'
export { bytesAt, closing, readWhole, undoing } from './descriptors.js'
export { pathOfUri, uriOf } from './file-uris.js'
export { diskPath, leadsThroughLink, readLink, readNames, realPath } from './disk-path.js'
export { upwards } from './upwards.js'
export { readInFolder, requireInside } from './outputs/folder-files.js'
export {
  makeOutputDirectory, noteOwnOutput, noteRunRoots, openOutput, outputTarget, ownOutputs, runRootOf, WholeFile,
  writeOutput,
} from './outputs/index.js'
export { openMarkedDirectory, removeMade, type MarkedDirectory } from './temporary/index.js'
