import { HermesError } from '../../../../0-contracts/src/index.js'
import { plural } from '../../../../1-reports/src/index.js'
import { escapeControls } from '../../../../0-text/src/index.js'
import {
  describeFile, ownInstallation, serviceProcess, removeUserFiles, userFiles,
} from '../../../../7-setup/src/index.js'
import { usageError, type Arguments } from '../../arguments.js'
import { askYes, mayAsk } from '../../io/ask-yes.js'
import type { Program } from '../../command.js'
import { interruptible } from '../../io/interrupt.js'
import { asTyped, EXIT, print, printJson } from '../../io/output.js'

/** `hermes uninstall`: keeps or removes the user's files, and says how to remove the program itself. */
export async function uninstall(args: Arguments, program: Program): Promise<number> {
  if (args.has('keep-data') && args.has('remove-data')) {
    throw usageError('--keep-data and --remove-data exclude each other', 'Give one of them.')
  }
  const { words, remove, kind, goes } = ownInstallation(program.packageFile(), process.argv[1])
  const files = args.has('keep-data') ? undefined : userFiles()
  const isJson = args.has('json')
  const own = files?.own ?? []
  const mustAsk = own.length > 0 && !args.has('remove-data')
  if (mustAsk && (isJson || !mayAsk())) {
    throw usageError(
      'There is nobody to ask',
      `It would remove ${own.map(({ path }) => path).join(', ')}: say --remove-data or --keep-data.`,
    )
  }
  for (const name of ['cron', 'gateway'] as const) {
    const pid = files && serviceProcess(files.home, name)
    if (pid === undefined) continue
    throw new HermesError(
      'LOCKED', `hermes ${name} works with these files (process ${pid})`,
      { hint: 'End it first, or keep your files with --keep-data.' },
    )
  }
  if (!isJson && own.length > 0) print(`Your files:\n${own.map(describeFile).join('')}`)
  const interrupt = interruptible()
  const isRemoved = own.length > 0 && (args.has('remove-data')
    || await interrupt.during(() => askYes('Remove them? There is no way back.', false, interrupt.signal)))
  if (files && isRemoved) removeUserFiles(files)
  if (isJson) {
    printJson({
      removed: isRemoved ? own.map(({ path }) => path) : [], left: files?.others ?? [], installation: kind,
      commands: remove, goes,
    })
    return EXIT.ok
  }
  print([
    ...(own.length === 0 ? [] : [isRemoved ? `Removed: ${plural(own.length, 'entry', 'entries')}.` : 'Kept.']),
    ...(isRemoved && files && files.others.length > 0
      ? [`Left, since hermes did not make it: ${files.others.map((path) => escapeControls(path)).join(', ')}`] : []),
    asTyped('The .hermes directories of your projects stay: they hold what hermes undo needs.'), '',
    `hermes itself is ${escapeControls(words)}, and still there. This removes it:`, '',
    ...remove.map((path) => `  ${escapeControls(path)}`), '',
    `With that goes ${goes.map((way) => escapeControls(way)).join(', ')}, and what was made for it alone: links to it, `
      + 'its entry in a package.json, packages that nothing else needs.', '',
  ].join('\n'))
  return interrupt.exitCode ?? EXIT.ok
}
