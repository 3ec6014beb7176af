import { join } from 'node:path'
import { hermesHome } from '../../../../2-config/src/index.js'
import { HermesError } from '../../../../0-contracts/src/index.js'
import { runNow, trustedEnvironment } from '../../../../2-processes/src/index.js'
import { escapeControls } from '../../../../0-text/src/index.js'
import {
  commitOf, describeUpdate, ownInstallation, requireUpdatable, settingsAdvice, settingsState, typed, whyNoPull,
  type Installation, type Step,
} from '../../../../7-setup/src/index.js'
import { usageError, type Arguments } from '../../arguments.js'
import { askYes, mayAsk } from '../../io/ask-yes.js'
import type { Program } from '../../command.js'
import { interruptible } from '../../io/interrupt.js'
import { asTyped, EXIT, print, printError, printJson } from '../../io/output.js'
import { withRefusals } from '../../io/refusals.js'

/**
 * `hermes update`: updates hermes from where it was installed, after one question; or says how. Output of the programs
 * it runs goes to standard error.
 */
export async function update(args: Arguments, program: Program): Promise<number> {
  if (args.has('check') && args.has('yes')) {
    throw usageError('--check and --yes exclude each other', '--check changes nothing; give one of them.')
  }
  const installation = ownInstallation(program.packageFile(), process.argv[1])
  const about = {
    version: program.version(), installation: installation.kind, directory: installation.directory,
    ...(installation.source !== undefined && { source: installation.source }), commands: installation.update,
    settings: await settingsState(), home: hermesHome(),
  }
  const mayDo = !args.has('check') && (args.has('yes') || (mayAsk() && !args.has('json')))
  const interrupt = interruptible()
  return withRefusals(args, interrupt, async () => {
    const problem = installation.kind === 'clone' ? whyNoPull(installation.directory) : undefined
    if (!args.has('json')) print(describeUpdate(about.version, installation, mayDo ? undefined : problem?.reason))
    if (mayDo) requireUpdatable(installation, problem)
    const isWanted = mayDo && (args.has('yes') || await askYes('Do it now?', true, interrupt.signal))
    if (!isWanted) {
      const reason = problem?.reason ?? installation.manual
      if (args.has('json')) printJson({ ...about, updated: false, ...(reason !== undefined && { reason }) })
      else print(asTyped(`Nothing was changed.${settingsAdvice(about.settings)}`))
      return EXIT.ok
    }
    const isNew = runAll(installation)
    if (args.has('json')) printJson({ ...about, updated: isNew })
    else print(asTyped(isNew ? 'Updated. hermes doctor looks at what runs need.\n' : 'It is up to date already.\n'))
    return isNew ? migrate(installation, args) : EXIT.ok
  })
}

/** @returns whether anything changed. @throws HermesError `NOT_UPDATED` */
function runAll({ kind, directory, steps }: Installation): boolean {
  const before = kind === 'clone' ? commitOf(directory) : undefined
  for (const [index, step] of steps.entries()) {
    printError(`$ ${escapeControls(typed(step))}\n`)
    const problem = run(step)
    const after = before === undefined ? undefined : commitOf(directory)
    if (problem !== undefined) {
      const left = after === before ? 'Nothing was changed.'
        : `The sources are new, but what runs is not built: run it again in ${directory}, or go back there: `
          + `git reset --keep ${before?.slice(0, 12) ?? ''}`
      throw new HermesError('NOT_UPDATED', `${typed(step)} failed: ${problem}`, {
        hint: kind === 'clone' ? left : 'See what it printed above.',
      })
    }
    // Without new commits there is nothing to build.
    if (index === 0 && before !== undefined && after === before) return false
  }
  return true
}

/** @returns why it failed */
function run({ program, args, cwd }: Step): string | undefined {
  // On Windows npm is a script, which only a shell starts; its arguments are ours, or quoted as for a person.
  const { exitCode, signal, error } = runNow({
    program, args, windowsLine: program === 'git' ? undefined : typed({ program, args }), cwd,
    env: trustedEnvironment(process.env),
    stdio: ['inherit', 2, 2],
  })
  if (exitCode === 0) return undefined
  return error?.message ?? (signal === null ? `exit code ${exitCode}` : `it was ended by ${signal}`)
}

/** Lets the new program migrate the settings: it knows their form, shows the changes and asks. */
function migrate({ directory }: Installation, args: Arguments): number {
  const words = [join(directory, 'dist', 'cli.cjs'), 'config', 'migrate', ...(args.has('yes') ? ['--yes'] : [])]
  // In hermes' directory, so that only the user's settings are migrated, not those of a project.
  const { exitCode } = runNow({
    program: process.execPath, args: words, cwd: directory, env: trustedEnvironment(process.env),
    stdio: args.has('json') ? ['inherit', 2, 2] : 'inherit',
  })
  if (exitCode !== 0) printError('hermes: the settings were not brought up to date: hermes config migrate\n')
  return EXIT.ok
}
