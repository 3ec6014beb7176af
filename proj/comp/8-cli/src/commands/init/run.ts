import { realpathSync } from 'node:fs'
import { createPalette } from '../../../../1-reports/src/index.js'
import { trustPlaces } from '../../../../2-sandbox/src/index.js'
import { plannedSteps, takeStep } from '../../../../7-setup/src/index.js'
import { usageError, type Arguments } from '../../arguments.js'
import { askYes, mayAsk } from '../../io/ask-yes.js'
import { existingRoot } from '../../setup/existing-root.js'
import { interruptible } from '../../io/interrupt.js'
import { asTyped, EXIT, print, wantsColour } from '../../io/output.js'

/** `hermes init`: writes the files of a new project. Replaces an existing file only after a yes to that file. */
export async function init(args: Arguments): Promise<number> {
  const root = existingRoot(args)
  if (args.has('trust')) return trust(root)
  const steps = plannedSteps(root)
  const { good, faint } = createPalette(wantsColour())
  if (steps.length === 0) {
    print('Everything is there already.\n')
    return EXIT.ok
  }
  const wanted = steps.filter(({ kind }) => kind !== 'leave')
  if (wanted.length > 0 && !args.has('yes') && !mayAsk()) {
    throw usageError(
      'There is nobody to ask',
      `It would write ${wanted.map(({ path }) => path).join(', ')}; --yes does, and replaces nothing.`,
    )
  }
  const interrupt = interruptible()
  await interrupt.during(async () => {
    for (const step of steps) {
      const replaces = step.kind === 'replace'
      const isWanted = step.kind !== 'leave'
        && (args.has('yes') ? !replaces : await askYes(step.question, !replaces, interrupt.signal))
      const why = isWanted ? takeStep(root, step)
        : step.kind === 'leave' ? step.question : replaces ? 'left as it is' : 'not written'
      print(why === undefined ? `${good('✓')}  ${step.path}\n` : `${faint('–')}  ${step.path}  ${faint(why)}\n`)
    }
  })
  print(asTyped('\nhermes doctor looks at all that runs need; hermes prompt prints what to tell the model.\n'))
  return interrupt.exitCode ?? EXIT.ok
}

/** Accepts settings that a command made: until the user does so, hermes refuses the root. */
function trust(root: string): number {
  const paths = trustPlaces(realpathSync.native(root))
  for (const path of paths) print(`Accepted: ${path}\n`)
  if (paths.length === 0) print('Nothing here was made by a command.\n')
  return EXIT.ok
}
