import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  migratePolicy, NEW_POLICY_FILE, parsePolicy, replacePolicyFile, whileLocked, withPolicyValue,
} from '../../config/src/index.js'
import { HermesError, type ApprovedPath } from '../../contracts/src/index.js'
import { runNow } from '../../launcher/src/index.js'
import { loadDiffRenderer } from '../../reports/src/index.js'
import { escapeControls } from '../../text/src/index.js'
import { usageError, type Arguments } from './arguments.js'
import { askYes, mayAsk } from './ask-yes.js'
import { bytesToMend, draftFor, textOfDraft } from './config-draft.js'
import { chosenFile, configFiles, readConfig, type ConfigFile } from './config-files.js'
import { EXIT } from './exit-codes.js'
import type { Interrupt } from './interrupt.js'
import { print, printError, wantsColour } from './output.js'

/** A project's file is read by all who work in it. */
const PROJECT_MODE = 0o644

/** `hermes config set KEY VALUE…`, and with `--unset` without a value. */
export async function set(args: Arguments, key: string, values: readonly string[]): Promise<number> {
  if (args.has('unset') === values.length > 0) {
    throw usageError(
      args.has('unset') ? '--unset takes no VALUE' : 'config set: no VALUE given',
      'Write hermes config set KEY VALUE, or hermes config set KEY --unset.',
    )
  }
  const file = chosenFile(args)
  for (;;) {
    const before = readConfig(file)
    const text = await withPolicyValue(before, key, args.has('unset') ? undefined : values)
    // Whoever wrote meanwhile set something else: both count.
    if (!await isWritten(file, before.text, text)) continue
    print(await told(file, before.text, text))
    return EXIT.ok
  }
}

/** `hermes config migrate`: shows what would change, and writes it where the user says so. */
export async function migrate(args: Arguments, { signal }: Interrupt): Promise<number> {
  const files = args.has('project') ? [chosenFile(args)] : configFiles(args)
  let left = false
  let isDone = false
  for (const file of files.filter(({ exists }) => exists)) {
    const before = readConfig(file)
    const { from, to, steps, text } = await migratePolicy(before)
    if (steps.length === 0) continue
    isDone = true
    print(`${escapeControls(file.name)}: version ${from} to `
      + `${to}\n${steps.map((one) => `  - ${one}\n`).join('')}${await diff(file, before.text, text)}`)
    if (args.has('yes') || (mayAsk() && await askYes('Write it?', true, signal))) await write(file, before.text, text)
    else left = true
  }
  if (!isDone) print('Nothing to migrate.\n')
  if (left) printError('hermes: nothing was written; --yes writes it without asking.\n')
  return left ? EXIT.failed : EXIT.ok
}

/** `hermes config edit`: a copy in the editor, which takes the file's place when it is valid. */
export async function edit(args: Arguments, { signal }: Interrupt): Promise<number> {
  const file = chosenFile(args)
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
        await write(file, before ?? unread ?? '', text)
        print(before === undefined ? `${escapeControls(file.path)} can be read again.\n`
          : await told(file, before, text))
      }
      rmSync(directory, { recursive: true, force: true })
      return EXIT.ok
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
      printError(`hermes: ${escapeControls(error.message)}\n`)
      if (error.code === 'INVALID_POLICY' && mayAsk() && await askYes('Edit again?', true, signal)) continue
      printError(existsSync(draft) ? `  Nothing was written. What you wrote is in ${draft}\n`
        : '  Nothing was written.\n')
      if (!existsSync(draft)) rmSync(directory, { recursive: true, force: true })
      return EXIT.failed
    }
  }
}

/** As git runs one: it may be a command with arguments. */
function runEditor(editor: string, draft: string): void {
  const { exitCode, error } = runNow({
    program: 'sh', args: ['-c', `${editor} "$@"`, editor, draft], windowsLine: `${editor} "${draft}"`,
    env: process.env, stdio: 'inherit',
  })
  if (exitCode === 0) return
  const why = error?.message ?? `exit code ${exitCode}`
  throw new HermesError('NONZERO_EXIT', `The editor failed: ${editor} (${why})`, { hint: 'Nothing was written. '
    + `The draft is ${draft}` })
}

/** @throws HermesError `CHANGED_ON_DISK` where somebody else wrote meanwhile */
async function write(file: ConfigFile, before: string | Buffer, text: string): Promise<void> {
  if (await isWritten(file, before, text)) return
  throw new HermesError(
    'CHANGED_ON_DISK', `${file.name} was changed by someone else meanwhile`,
    { hint: 'Nothing was written: try again.' },
  )
}

/** @returns false where somebody else wrote meanwhile. @throws HermesError with the code of the system, `LOCKED` */
async function isWritten(file: ConfigFile, before: string | Buffer, text: string): Promise<boolean> {
  const isSame = (): boolean => (typeof before === 'string' ? readConfig(file).text === before
    : readFileSync(file.path).equals(before))
  if (text === before) return isSame()
  return whileLocked(file.path, () => {
    if (!isSame()) return false
    replacePolicyFile(file.path, text, file.whose === 'project' ? PROJECT_MODE : undefined)
    return true
  })
}

/** What was written, for people. */
async function told(file: ConfigFile, before: string, text: string): Promise<string> {
  if (text === before) return `${escapeControls(file.name)} says so already.\n`
  return `${escapeControls(file.path)}:\n${await diff(file, before, text)}`
}

async function diff(file: ConfigFile, before: string, after: string): Promise<string> {
  const render = await loadDiffRenderer({ colour: wantsColour(), roots: [dirname(file.path)] })
  // Only shown: no path of a verb.
  const path = file.path as ApprovedPath
  return render([before === '' ? { kind: 'create', path, after } : { kind: 'modify', path, before, after }])
}
