import { nearest } from '../../../0-text/src/index.js'

/** Other tools' names for each parameter, ignoring case, `_` and `-`. A name may occur for several. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  path: 'file filepath filename pathname fullpath targetfile targetpath absolutepath relativepath '
    + 'relativeworkspacepath dir dirpath directory directorypath folder targetdirectory notebookpath',
  content: 'contents filetext filecontent filecontents text body data newcontent',
  old_text: 'oldstring oldstr old oldcontent oldcode search searchtext find original originaltext',
  new_text: 'newstring newstr new newcontent newcode replace replacement replacewith replacementtext updated',
  code: 'cmd command script source sourcecode bash shell input',
  command: 'cmd script code bash shell commandline',
  lang: 'language interpreter',
  cwd: 'workdir workingdirectory workingdir dir directory',
  pattern: 'query search searchpattern glob globpattern filepattern',
  query: 'pattern search searchquery',
  old_path: 'source src from sourcepath frompath oldname',
  new_path: 'destination dest dst to target destinationpath topath newname',
  source: 'src from sourcepath oldpath',
  destination: 'dest dst to target destinationpath newpath',
  patch: 'diff input patchtext',
  executable: 'command cmd program exe binary',
  arguments: 'args argv argumentlist',
}

/** Shortest name to match by spelling: shorter ones resemble each other (`mode`, `code`). */
const SHORTEST_NEAR = 5

/**
 * The parameter that an unknown name stands for: by other tools' names, else by similar spelling. Parameters already
 * given are excluded.
 */
export function meantParameter(name: string, known: readonly string[], given: readonly string[]): string | undefined {
  const free = known.filter((each) => !given.includes(each))
  const plain = plainName(name)
  const same = free.filter((each) => plainName(each) === plain)
  const others = same.length > 0 ? same : free.filter((each) => namesOf(each).includes(plain))
  if (others.length > 0) return others.length === 1 ? others[0] : undefined
  const near = nearest(name, free)
  if (near === undefined || name.length >= SHORTEST_NEAR || near.length !== name.length) return near
  return letters(near) === letters(name) ? near : undefined
}

function letters(name: string): string {
  return [...name.toLowerCase()].sort().join('')
}

function namesOf(parameter: string): readonly string[] {
  const snake = parameter.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return Object.hasOwn(OTHER_NAMES, snake) ? OTHER_NAMES[snake]!.split(' ') : []
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}
