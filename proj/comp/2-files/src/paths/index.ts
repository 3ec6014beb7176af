export { approveEntryIfAllowed, approveIfAllowed, approvePath, isDenied } from './approve-path.js'
export { checkNotElided, overwriteCheck } from './check-overwrite.js'
export { MissingPath, missingPath } from './missing-path.js'
export { pathError } from './path-error.js'
export { pathShower } from './path-shower.js'
export { linksOf, readExisting, readExistingBytes, readNotes, requireFile, withinLimit } from './read-existing.js'
export { relatedVerbs } from './related-verbs.js'
export { wasReplaced } from './was-replaced.js'
export { withParents } from './with-parents.js'
export {
  checkSize, fileToWrite, notesOf, parentNotes, parentsOf, writeNotes, writeText, writeWithParents,
} from './write-text.js'
export { writtenForm } from './written-form.js'
