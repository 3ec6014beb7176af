import {
  configFiles, configProblems, ENV_VARIABLES, explainSettings, pathOf, type ConfigFile, type ExplainedField,
} from '../../../../2-config/src/index.js'
import { createPalette, plural } from '../../../../1-reports/src/index.js'
import { renderSettings } from '../../../../7-output/src/index.js'
import { escapeControls } from '../../../../0-text/src/index.js'
import type { Arguments } from '../../arguments.js'
import { existingRoot } from '../../setup/existing-root.js'
import { asTyped, EXIT, printFound, printJson, printRaw, wantsColour } from '../../io/output.js'

/** `hermes config show`: the values in force, and the line that sets each. */
export async function show(args: Arguments): Promise<number> {
  const { fields, warnings } = await explainSettings(existingRoot(args))
  const files = configFiles(existingRoot(args)).filter(({ exists }) => exists).map(({ path }) => path)
  return printFound(args, { files, fields, warnings }, () => (
    renderSettings(fields, warnings, { colour: wantsColour() })))
}

/** `hermes config get KEY`: only the value; a list prints one entry per line. */
export async function get(args: Arguments, key: string): Promise<number> {
  if (!ENV_VARIABLES.some(({ name }) => name === key)) pathOf(key)
  const { fields } = await explainSettings(existingRoot(args))
  const field: ExplainedField = fields.find(({ name }) => name === key) ?? { name: key, values: [], isList: false }
  if (args.has('json')) printJson(field)
  else printRaw(field.values.map(({ value }) => `${escapeControls(value)}\n`).join(''))
  return EXIT.ok
}

/** `hermes config path`: the files in use. */
export function paths(args: Arguments): number {
  const files = configFiles(existingRoot(args))
  return printFound(args, files.map(({ whose, path, exists }) => ({ whose, path, exists })), () => (
    files.map(({ whose, path, exists }) =>
      `${whose.padEnd(9)}${escapeControls(path)}${exists ? '' : '  (not there)'}\n`).join('')))
}

/** `hermes config check`: whether the files are readable, valid, and of this version. */
export async function check(args: Arguments): Promise<number> {
  const files = configFiles(existingRoot(args)).filter(({ exists }) => exists)
  const problems = await configProblems(existingRoot(args))
  const success = problems.length === 0
  return printFound(args, { success, files: files.map(({ path }) => path), problems }, () => (
    asTyped(checked(files, problems))), success ? EXIT.ok : EXIT.failed)
}

function checked(files: readonly ConfigFile[], problems: readonly string[]): string {
  const { bad, good } = createPalette(wantsColour())
  if (problems.length > 0) return problems.map((problem) => `${bad('✗')}  ${escapeControls(problem)}\n`).join('')
  if (files.length === 0) return 'There are no policy files: the defaults count. hermes init makes one.\n'
  return `${good('✓')}  ${plural(files.length, 'file')}: ${files.map(({ name }) => escapeControls(name)).join(', ')}\n`
}
