import type { AnyVerb } from '../../../0-contracts/src/index.js'
import type { FileMethod } from '../../../2-extensions/src/index.js'

export { addConfiguredVerbs } from './add-configured-verbs.js'
export { VerbsHere } from './verbs-here.js'

/** `fileVerbs` of `verb-files.js`, loaded when it is called: few sessions need what runs extensions. */
export async function fileVerbs(): Promise<Readonly<Record<FileMethod, AnyVerb>>> {
  return (await import('./verb-files.js')).fileVerbs()
}
