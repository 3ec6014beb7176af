import type { VerbContext } from '../../../0-contracts/src/index.js'

/** Verbs that hints propose, in the vocabulary of the failing verb. */
type RelatedVerbs = typeof CLADA

const CLADA = {
  list: 'ls',
  /** A sentence: what to do where a path is not known. */
  onUnknownPath: 'ls and glob show which files there are.',
  /** Text between a parameter's name and its value. */
  assignment: ' = ',
  read: 'file_read',
  write: 'file_write or file_append',
  removeFile: 'file_delete',
  /** What to do with a file that is too large to be read whole. */
  readPart: 'file_read_numbered reads the lines it is given; grep finds text in files of any size.',
  /** The verb that runs commands, to change such a file. */
  command: 'exec',
  /** A sentence: not every vocabulary has a verb that deletes directories. */
  onRemovingDirectory: 'It is a directory; dir_delete deletes it once it is empty.',
}
const HERMES: RelatedVerbs = {
  list: 'fs.listDir',
  onUnknownPath: 'fs.listDir shows which files there are.',
  assignment: ': ',
  read: 'fs.readFile',
  write: 'fs.writeFile',
  removeFile: 'fs.deleteFile',
  readPart: 'fs.readRange reads some of its lines, fs.lineCount counts them.',
  command: 'proc.run',
  onRemovingDirectory: 'It is a directory; fs.deleteDirectory deletes it with all it holds.',
}
const CORE: RelatedVerbs = {
  list: 'list_directory',
  onUnknownPath: 'list_directory and search_files show which files there are.',
  assignment: ': ',
  read: 'read_file',
  write: 'write_file',
  removeFile: 'delete_file',
  readPart: 'read_file with start_line and end_line reads a part of it; search_files finds text in files of any size.',
  command: 'execute_command',
  onRemovingDirectory: 'It is a directory, and only files can be deleted; list_directory lists those in it.',
}

/** The verbs to propose for the failing verb's vocabulary. */
export function relatedVerbs({ vocabulary = 'clada' }: Pick<VerbContext, 'vocabulary'>): RelatedVerbs {
  return { clada: CLADA, hermes: HERMES, core: CORE }[vocabulary]
}
