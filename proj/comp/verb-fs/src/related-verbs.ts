/** What hints propose, by names of the vocabulary that the failing verb is of. */
interface RelatedVerbs {
  list: string
  /** Between a parameter's name and its value. */
  assignment: ' = ' | ': '
  read: string
  write: string
  removeFile: string
  /** A whole sentence: not every vocabulary deletes directories. */
  onRemovingDirectory: string
}

const CLADA: RelatedVerbs = {
  list: 'ls',
  assignment: ' = ',
  read: 'file_read',
  write: 'file_write or file_append',
  removeFile: 'file_delete',
  onRemovingDirectory: 'It is a directory; dir_delete deletes it once it is empty.',
}
const HERMES: RelatedVerbs = {
  list: 'fs.listDir',
  assignment: ': ',
  read: 'fs.readFile',
  write: 'fs.writeFile',
  removeFile: 'fs.deleteFile',
  onRemovingDirectory: 'It is a directory; fs.deleteDirectory deletes it with all it holds.',
}
const CORE: RelatedVerbs = {
  list: 'list_directory',
  assignment: ': ',
  read: 'read_file',
  write: 'write_file',
  removeFile: 'delete_file',
  onRemovingDirectory: 'It is a directory, and only files can be deleted; list_directory lists those in it.',
}

/** @param verb the name of the verb that failed: of core tools it ends in what they act on */
export function relatedVerbs(verb: string): RelatedVerbs {
  if (verb.startsWith('fs.')) return HERMES
  return /_(?:file|directory)$/.test(verb) ? CORE : CLADA
}
