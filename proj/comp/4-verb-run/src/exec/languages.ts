/** The languages of `exec`. */
export const LANGUAGES = ['python', 'javascript', 'bash', 'ruby'] as const
export type Language = (typeof LANGUAGES)[number]

/** The languages of `execute_script`. */
export const SCRIPT_LANGUAGES = ['powershell', 'bash', 'python'] as const
export type CodeLanguage = Language | (typeof SCRIPT_LANGUAGES)[number]

interface LanguageRules {
  /** Programs to try, best first. */
  programs: readonly [string, ...string[]]
  /** Program names for a certain version, e.g. `python3.11`. */
  versioned(version: string): string[]
  /** The arguments that make the program run `code`. */
  argsFor(code: string): string[]
  /** Code that runs the code in a file as if it were given directly; `path` is absolute. */
  loaderFor(path: string): string
}

export const LANGUAGE_RULES: Record<CodeLanguage, LanguageRules> = {
  python: {
    programs: ['python3', 'python'],
    versioned: version => [`python${version}`],
    argsFor: code => ['-c', code],
    loaderFor: path => `exec(compile(open(${JSON.stringify(path)}, encoding='utf-8').read(), '<string>', 'exec'))`,
  },
  javascript: {
    programs: [process.execPath, 'node'],
    versioned: version => [`node${version}`],
    // Node takes a leading dash for an option.
    argsFor: code => ['-e', code.startsWith('-') ? ` ${code}` : code],
    loaderFor: path => `require('vm').runInThisContext(require('fs').readFileSync(${JSON.stringify(path)}, 'utf8'), {
      filename: '[eval]', importModuleDynamically: require('vm').constants.USE_MAIN_CONTEXT_DEFAULT_LOADER })`,
  },
  bash: {
    programs: ['bash'],
    versioned: version => [`bash${version}`],
    argsFor: code => ['-c', '--', code],
    loaderFor: path => `. '${path.replaceAll("'", `'\\''`)}'`,
  },
  ruby: {
    programs: ['ruby'],
    versioned: version => [`ruby${version}`],
    argsFor: code => ['-e', code],
    loaderFor: path => `eval(File.read(${rubyString(path)}, encoding: 'UTF-8'), TOPLEVEL_BINDING, '-e', 1)`,
  },
  powershell: {
    // Windows also has its own PowerShell.
    programs: process.platform === 'win32' ? ['pwsh', 'powershell'] : ['pwsh'],
    versioned: () => [],
    argsFor: code => ['-NoProfile', '-NonInteractive', '-Command', code],
    loaderFor: path => `. ([scriptblock]::Create([IO.File]::ReadAllText('${path.replaceAll("'", "''")}')))`,
  },
}

function rubyString(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`
}
