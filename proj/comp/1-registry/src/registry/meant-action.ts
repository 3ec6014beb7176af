import type { Vocabulary } from '../../../0-contracts/src/index.js'

interface Meaning {
  /** Names in other tools, lower case, without `_`, `-` and dots; separated by spaces. */
  others: string
  /** The equivalent verb by vocabulary; where a vocabulary has none, clada's is used. */
  verbs: Partial<Record<Vocabulary, string>> & Record<'clada', string>
}

const MEANINGS: readonly Meaning[] = [
  {
    others: 'cat read type head openfile view viewfile showfile getfile getfilecontent getfilecontents readtextfile '
      + 'loadfile readfilecontent readfilecontents fileview',
    verbs: { clada: 'file_read', hermes: 'fs.readFile', core: 'read_file' },
  },
  {
    others: 'write createfile filecreate newfile makefile savefile save writetofile createnewfile overwritefile '
      + 'filesave addfile putfile',
    verbs: { clada: 'file_write', hermes: 'fs.writeFile', core: 'write_file' },
  },
  {
    others: 'strreplace replaceinfile replacestringinfile replacetext searchreplace searchandreplace filereplace '
      + 'stringreplace',
    verbs: { clada: 'file_replace_text' },
  },
  {
    others: 'rm removefile deletefile unlink fileremove',
    verbs: { clada: 'file_delete', hermes: 'fs.deleteFile', core: 'delete_file' },
  },
  {
    others: 'mkdir createdirectory createdir createfolder makedirectory makedir dirmake newfolder directorycreate '
      + 'foldercreate makedirs',
    verbs: { clada: 'dir_create', hermes: 'fs.createDirectory' },
  },
  { others: 'rmdir removedirectory removedir removefolder deletefolder', verbs: { clada: 'dir_delete' } },
  {
    others: 'mv move rename renamefile filerename',
    verbs: { clada: 'file_move', hermes: 'fs.moveFile', core: 'move_file' },
  },
  {
    others: 'dir list listdir listfiles readdir listfolder listdirectorycontents getdirectorycontents',
    verbs: { clada: 'ls', hermes: 'fs.listDir', core: 'list_directory' },
  },
  {
    others: 'grepsearch searchcode searchtext findinfiles searchinfiles codesearch searchfilecontent',
    verbs: { clada: 'grep', core: 'search_files' },
  },
  // `search_files` accepts regular expressions, `grep` does not.
  { others: 'rg ripgrep', verbs: { clada: 'search_files' } },
  { others: 'findfiles find filesearch globfiles findfile', verbs: { clada: 'glob' } },
  {
    others: 'bash sh shell terminal runcommand run execute runshellcommand runshell shellcommand runterminalcmd '
      + 'runinterminal executebash executeshell execcommand commandrun localshell runbash',
    verbs: { clada: 'exec', core: 'execute_command' },
  },
  // These need a language parameter, unlike a shell command.
  { others: 'runcode executecode powershell cmd zsh', verbs: { clada: 'exec', core: 'execute_script' } },
]

/** The verb that another tool's name stands for, if possible in this vocabulary, and only if it is known. */
export function meantAction(
  action: string, vocabulary: Vocabulary, isVerb: (name: string) => boolean,
): string | undefined {
  const plain = action.toLowerCase().replaceAll(/[_.-]/g, '')
  const verbs = MEANINGS.find(({ others }) => others.split(' ').includes(plain))?.verbs
  return verbs && [verbs[vocabulary], verbs.clada].find((name) => name !== undefined && isVerb(name))
}
