/** What only the user can change, as the command takes it and as a program gives it to the library. */
const NAMES = {
  allow: ['--allow DIR', "allow: ['DIR']"],
  rootAliases: ['--root-alias DIR', "rootAliases: ['DIR']"],
  relativePaths: ['--relative-paths', 'relativePaths: true'],
  network: ['--network', 'network: true'],
  hosts: ['--network=HOST,…', "network: ['HOST']"],
  unconfined: ['--sandbox none', "sandbox: 'none'"],
  timeoutMs: ['--timeout', 'timeoutMs'],
  waitMs: ['--wait SECONDS', 'waitMs: MILLISECONDS'],
  filesAlone: ['--atomic=files', "atomic: 'files'"],
  consent: ['at a terminal, or with --yes', "approve: async () => 'once'"],
  mapping: ['--mapping', 'mapping'],
  undoForce: ['hermes undo --force', 'force: true'],
  redoForce: ['hermes redo --force', 'force: true'],
} as const satisfies Readonly<Record<string, readonly [flag: string, option: string]>>

export type SettingName = keyof typeof NAMES

let named: 'flags' | 'options' = 'options'

/** The command says `flags` once, when it starts: who reads its messages types them. */
export function nameSettingsBy(words: typeof named): void {
  named = words
}

/** How messages name a setting, for whoever can change it: a flag of the command, else an option of the library. */
export function settingName(name: SettingName): string {
  const [flag, option] = NAMES[name]
  return named === 'flags' ? flag : `option ${option}`
}
