import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HermesError, orNothing } from '../../../contracts/src/index.js'
import { createPalette } from '../../../reports/src/index.js'
import { escapeControls } from '../../../text/src/index.js'
import { usageError, type Arguments } from '../arguments.js'
import { askYes, mayAsk } from '../ask-yes.js'
import { existingRoot } from '../existing-root.js'
import { EXIT } from '../exit-codes.js'
import { POLICY_TEMPLATE, WORKFLOW_TEMPLATE } from '../init-templates.js'
import { interruptible } from '../interrupt.js'
import { print, wantsColour } from '../output.js'

interface Step {
  /** From the root, with slashes. */
  path: string
  question: string
  /** The whole new content of the file. */
  text: string
  /** Something else stands there: asked about apart, and never replaced by `--yes`. */
  replaces: boolean
}

/** What tools other than git read to leave files out. */
const IGNORE_FILES = ['.dockerignore', '.npmignore', '.prettierignore']
const IGNORED = '.hermes/'

/** `hermes init`: files that set a project up. Nothing that is there is replaced without a yes to just that. */
export async function init(args: Arguments): Promise<number> {
  const root = existingRoot(args)
  const steps = planned(root)
  const { good, faint } = createPalette(wantsColour())
  if (steps.length === 0) {
    print('Everything is there already.\n')
    return EXIT.ok
  }
  if (!args.has('yes') && !mayAsk()) {
    throw usageError('There is nobody to ask', `It would write ${steps.map(({ path }) => path).join(', ')}; --yes does, and replaces nothing.`)
  }
  const interrupt = interruptible()
  await interrupt.during(async () => {
    for (const step of steps) {
      const isWanted = args.has('yes') ? !step.replaces : await askYes(step.question, !step.replaces, interrupt.signal)
      if (isWanted) write(root, step)
      print(isWanted ? `${good('✓')}  ${step.path}\n` : `${faint('–')}  ${step.path}  ${faint(step.replaces ? 'left as it is' : 'not written')}\n`)
    }
  })
  print('\nhermes doctor looks at all that runs need; hermes prompt prints what to tell the model.\n')
  return interrupt.exitCode ?? EXIT.ok
}

function planned(root: string): Step[] {
  const isRepository = existsSync(join(root, '.git'))
  const ignores = [...(isRepository ? ['.gitignore'] : []), ...IGNORE_FILES.filter((name) => isFile(join(root, name)))]
  return [
    file(root, 'hermes.yaml', POLICY_TEMPLATE, 'Write hermes.yaml, which says what runs may do here? (all of it commented out)'),
    ...ignores.map((name) => ignored(root, name)),
    ...(isRepository ? [file(root, '.github/workflows/hermes.yml', WORKFLOW_TEMPLATE, 'Write .github/workflows/hermes.yml, which replays transcripts in CI?')] : []),
  ].filter((step) => step !== undefined)
}

function file(root: string, path: string, text: string, question: string): Step | undefined {
  const target = join(root, path)
  if (lstatSync(target, { throwIfNoEntry: false }) === undefined) return { path, text, question, replaces: false }
  if (!isFile(target) || readFileSync(target, 'utf8') === text) return undefined
  return { path, text, question: `${path} is there, and is another. Replace it?`, replaces: true }
}

/** With a line for `.hermes/`, unless it has one. */
function ignored(root: string, path: string): Step | undefined {
  const target = join(root, path)
  const before = isFile(target) ? readFileSync(target, 'utf8') : ''
  if (before.split(/\r?\n/).some((line) => /^\/?(?:\*\*\/)?\.hermes\/?$/.test(line.trim()))) return undefined
  const end = before === '' || before.endsWith('\n') ? '' : '\n'
  return { path, text: `${before}${end}${IGNORED}\n`, question: `Add ${IGNORED} to ${path}?`, replaces: false }
}

function isFile(path: string): boolean {
  return orNothing(() => lstatSync(path).isFile(), false)
}

/** Beside its place and renamed: a file has its old or its new content. */
function write(root: string, { path, text }: Step): void {
  const target = join(root, path)
  const temporary = `${target}.${process.pid}.tmp`
  try {
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(temporary, text, { flag: 'wx', mode: statSync(target, { throwIfNoEntry: false })?.mode ?? 0o644 })
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    const { code = 'EIO' } = error as NodeJS.ErrnoException
    throw new HermesError(code, `Cannot write ${escapeControls(target)} (${code})`, { hint: 'Make the directory writable, or name another with --root.', cause: error })
  }
}
