/**
 * Variables that bind git to one repository or change how it reads paths, since hermes may itself run in a git hook.
 */
const REMOVED = [
  'GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_COMMON_DIR', 'GIT_CONFIG', 'GIT_DIFF_OPTS', 'GIT_DIR', 'GIT_EXTERNAL_DIFF',
  'GIT_GLOB_PATHSPECS', 'GIT_GRAFT_FILE', 'GIT_ICASE_PATHSPECS', 'GIT_IMPLICIT_WORK_TREE', 'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX', 'GIT_LITERAL_PATHSPECS', 'GIT_NAMESPACE', 'GIT_NOGLOB_PATHSPECS',
  'GIT_NO_REPLACE_OBJECTS', 'GIT_OBJECT_DIRECTORY', 'GIT_PREFIX', 'GIT_REPLACE_REF_BASE', 'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]

/** Variables for every run of git: no questions, no pager, no editor. */
export const GIT_ENVIRONMENT: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(REMOVED.map(name => [name, undefined])),
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  GIT_EDITOR: ':',
  FORCE_COLOR: undefined,
}

/** Keeps Python programs that git runs from importing modules of the working directory. */
export const NO_MODULES: Readonly<Record<string, string>> = { PYTHONSAFEPATH: '1' }

/** Settings by which git runs no hooks. */
export const NO_HOOKS: readonly string[] = settings({ 'core.hooksPath': '/dev/null' })

/** Settings before every command. They override all configuration files; hooks inherit them. */
export const GIT_SETTINGS: readonly string[] = settings({
  'core.quotepath': 'off',
  'color.ui': 'false',
  'core.fsmonitor': 'false',
  // URLs of this kind are commands.
  'protocol.ext.allow': 'never',
})

/**
 * Passes settings by variables, which unlike `-c` allow any name. They override all configuration files, and follow
 * those in the user's environment.
 */
export function settingVariables(
  values: readonly (readonly [key: string, value: string])[], env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  if (values.length === 0) return {}
  const first = Number(env['GIT_CONFIG_COUNT'] ?? 0) || 0
  const pairs = values.flatMap(([key, value], at): [string, string][] => [
    [`GIT_CONFIG_KEY_${first + at}`, key], [`GIT_CONFIG_VALUE_${first + at}`, value],
  ])
  return { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(first + values.length) }
}

/** `-c name=value` for each setting. */
export function settings(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
