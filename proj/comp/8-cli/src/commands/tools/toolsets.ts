import { examineToolsets, renderToolsets } from '../../../../7-setup/src/index.js'
import type { Arguments } from '../../arguments.js'
import { existingRoot } from '../../setup/existing-root.js'
import { allVerbs } from '../../setup/all-verbs.js'
import { EXIT, printFound, wantsColour } from '../../io/output.js'

/** `hermes tools doctor`: each toolset, and what keeps it from being used. */
export async function toolsDoctor(args: Arguments): Promise<number> {
  const root = existingRoot(args)
  const examined = await examineToolsets(root, await allVerbs(root), args.values('toolset'))
  const isLacking = examined.some(toolset => toolset.enabled && ['partly', 'unavailable'].includes(toolset.status))
  return printFound(args, examined, () => (
    renderToolsets(examined, { colour: wantsColour() })), isLacking ? EXIT.failed : EXIT.ok)
}
