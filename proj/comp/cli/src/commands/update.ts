import { fileURLToPath } from 'node:url'
import { dirname } from 'node:path'
import {
  CONFIG_VERSION, hermesHome, migratePolicy, readPolicyFile, shownHome, userPolicyFile,
} from '../../../config/src/index.js'
import { HermesError } from '../../../contracts/src/index.js'
import { escapeControls } from '../../../text/src/index.js'
import type { Arguments } from '../arguments.js'
import type { Program } from '../command.js'
import { EXIT } from '../exit-codes.js'
import { installationAt } from '../installation.js'
import { print, printJson } from '../output.js'

/**
 * `hermes update`: how this hermes is brought up to date. It never does it itself:
 * it may not run what it was not asked to.
 */
export async function update(args: Arguments, program: Program): Promise<number> {
  const { kind, directory, words, update: commands } = installationAt(dirname(fileURLToPath(program.packageFile())))
  const settings = await settingsState()
  if (args.has('json')) {
    printJson({ version: program.version(), installation: kind, directory, commands, settings, home: hermesHome() })
    return EXIT.ok
  }
  print([
    `hermes ${program.version()} is ${escapeControls(words)}. Nothing was changed; this brings it up to date:`, '',
    ...commands.map((one) => `  ${escapeControls(one)}`), '',
    settings === 'old' ? 'Then: hermes doctor, and hermes config migrate, since your settings are of an older version.'
      : 'Then: hermes doctor.',
    '',
    ...(settings === 'unreadable' ? ['Your settings cannot be read: hermes config check says why.', ''] : []),
  ].join('\n'))
  return EXIT.ok
}

/** Whether the user's file is of this version (seed 003 'Config Version Migration'). */
async function settingsState(): Promise<'none' | 'current' | 'old' | 'unreadable'> {
  const path = userPolicyFile()
  try {
    const text = readPolicyFile(path, shownHome(path), true)
    if (text === undefined) return 'none'
    // A file that never said a version was written for the first.
    if (!/^_config_version:/m.test(text)) return CONFIG_VERSION > 1 ? 'old' : 'current'
    return (await migratePolicy({ text, name: shownHome(path), directory: undefined })).steps.length > 0
      ? 'old' : 'current'
  } catch (error) {
    if (error instanceof HermesError) return 'unreadable'
    throw error
  }
}
