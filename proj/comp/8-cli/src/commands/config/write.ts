import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  bytesToMend, changeConfig, chosenFile, configFiles, draftFor, migratePolicy, NEW_POLICY_FILE, parsePolicy,
  readConfig, setValue, textOfDraft, type ConfigFile,
} from '../../../../2-config/src/index.js'
import { HermesError, type ApprovedPath } from '../../../../0-contracts/src/index.js'
import { runNow, trustedEnvironment } from '../../../../2-processes/src/index.js'
import { loadDiffRenderer } from '../../../../1-reports/src/index.js'
import { escapeControls } from '../../../../0-text/src/index.js'
import { usageError, type Arguments } from '../../arguments.js'
import { askYes, mayAsk } from '../../io/ask-yes.js'
import { existingRoot } from '../../setup/existing-root.js'
import type { Interrupt } from '../../io/interrupt.js'
import { EXIT, print, printError, say, wantsColour } from '../../io/output.js'

/** `hermes config set KEY VALUE…`, and with `--unset` without a value. */
export async function set(args: Arguments, key: string, values: readonly string[]): Promise<number> {
  if (args.has('unset') === values.length > 0) {
    throw usageError(
      args.has('unset') ? '--unset takes no VALUE' : 'config set: no VALUE given',
      'Write hermes config set KEY VALUE, or hermes config set KEY --unset.',
    )
  }
  const file = chosenFile(existingRoot(args), args.has('project'))
  const { before, text } = await setValue(file, key, args.has('unset') ? undefined : values)
  print(await told(file, before, text))
  return EXIT.ok
}

/** `hermes config migrate`: shows the changes, and writes them if the user agrees. */
export async function migrate(args: Arguments, { signal }: Interrupt): Promise<number> {
  const files = args.has('project') ? [chosenFile(existingRoot(args), true)] : configFiles(existingRoot(args))
  let left = false
  let isDone = false
  for (const file of files.filter(({ exists }) => exists)) {
    const before = readConfig(file)
    const { from, to, steps, text } = await migratePolicy(before)
    if (steps.length === 0) continue
    isDone = true
    print(`${escapeControls(file.name)}: version ${from} to `
      + `${to}\n${steps.map((step) => `  - ${step}\n`).join('')}${await diff(file, before.text, text)}`)
    const isWanted = args.has('yes') || (mayAsk() && await askYes('Write it?', true, signal))
    if (isWanted) await changeConfig(file, before.text, text)
    else left = true
  }
  if (!isDone) print('Nothing to migrate.\n')
  if (left) printError('hermes: nothing was written; --yes writes it without asking.\n')
  return left ? EXIT.failed : EXIT.ok
}

/** `hermes config edit`: opens a copy in the editor, which replaces the file if it is valid. */
export async function edit(args: Arguments, { signal }: Interrupt): Promise<number> {
  const file = chosenFile(existingRoot(args), args.has('project'))
  const editor = process.env['VISUAL'] || process.env['EDITOR']
  if (editor === undefined || editor === '') {
    throw usageError(
      'There is no editor: EDITOR is not set', `Set it, e.g. EDITOR=nano hermes config edit; the file is ${file.path}.`,
    )
  }
  const unread = bytesToMend(file)
  const before = unread === undefined ? readConfig(file).text : undefined
  const { directory, draft } = draftFor(file, unread ?? Buffer.from(before || NEW_POLICY_FILE))
  for (;;) {
    runEditor(editor, draft)
    try {
      const text = textOfDraft(draft, file)
      await parsePolicy(text, file.name, file.directory)
      if (text === before || (before === '' && text === NEW_POLICY_FILE)) print('Nothing was changed.\n')
      else {
        await changeConfig(file, before ?? unread ?? '', text)
        print(before === undefined ? `${escapeControls(file.path)} can be read again.\n`
          : await told(file, before, text))
      }
      rmSync(directory, { recursive: true, force: true })
      return EXIT.ok
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
      say(error.message)
      if (error.code === 'INVALID_POLICY' && mayAsk() && await askYes('Edit again?', true, signal)) continue
      printError(existsSync(draft) ? `  Nothing was written. What you wrote is in ${draft}\n`
        : '  Nothing was written.\n')
      if (!existsSync(draft)) rmSync(directory, { recursive: true, force: true })
      return EXIT.failed
    }
  }
}

/** Runs the editor as git does: it may be a command with arguments. */
function runEditor(editor: string, draft: string): void {
  const { exitCode, error } = runNow({
    program: 'sh', args: ['-c', `${editor} "$@"`, editor, draft], windowsLine: `${editor} "${draft}"`,
    env: trustedEnvironment(process.env), stdio: 'inherit',
  })
  if (exitCode === 0) return
  const why = error?.message ?? `exit code ${exitCode}`
  throw new HermesError('NONZERO_EXIT', `The editor failed: ${editor} (${why})`, { hint: 'Nothing was written. '
    + `The draft is ${draft}` })
}

/** The written change, for people. */
async function told(file: ConfigFile, before: string, text: string): Promise<string> {
  if (text === before) return `${escapeControls(file.name)} says so already.\n`
  return `${escapeControls(file.path)}:\n${await diff(file, before, text)}`
}

async function diff(file: ConfigFile, before: string, after: string): Promise<string> {
  const render = await loadDiffRenderer({ colour: wantsColour(), roots: [dirname(file.path)] })
  // Only shown: no verb uses this path.
  const path = file.path as ApprovedPath
  return render([before === '' ? { kind: 'create', path, after } : { kind: 'modify', path, before, after }])
}
