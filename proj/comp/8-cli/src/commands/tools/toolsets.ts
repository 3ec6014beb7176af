import { examineToolsets, renderToolsets } from '../../../../7-setup/src/index.js'
import type { Arguments } from '../../arguments.js'
import { existingRoot } from '../../setup/existing-root.js'
import { allVerbs } from '../../setup/all-verbs.js'
import { EXIT } from '../../exit-codes.js'
import { print, printJson, wantsColour } from '../../io/output.js'

/** `hermes tools doctor`: each toolset, and what keeps it from being used. */
export async function toolsDoctor(args: Arguments): Promise<number> {
  const root = existingRoot(args)
  const examined = await examineToolsets(root, await allVerbs(root), args.values('toolset'))
  if (args.has('json')) printJson(examined)
  else print(renderToolsets(examined, { colour: wantsColour() }))
  return examined.some(one => one.enabled && ['partly', 'unavailable'].includes(one.status)) ? EXIT.failed : EXIT.ok
}
