/** Words of a variable's name that say its value is a secret. */
const SECRET_WORDS = new Set([
  'APIKEY', 'AUTH', 'BEARER', 'COOKIE', 'CREDENTIAL', 'CREDENTIALS', 'CREDS', 'JWT', 'KEY', 'KEYS', 'PASS',
  'PASSPHRASE', 'PASSWD', 'PASSWORD', 'PASSWORDS', 'PAT', 'PRIVATE', 'PWD', 'SECRET', 'SECRETS', 'TOKEN', 'TOKENS',
])
/** Endings that say the value is a place or a name of something and not the secret itself. */
const PLAIN_ENDS = new Set([
  'DIR', 'DIRECTORY', 'FILE', 'FILES', 'HEADER', 'HOME', 'HOST', 'ID', 'LENGTH', 'LIFETIME', 'METHOD', 'NAME', 'PATH',
  'PORT', 'PROGRAM', 'SIZE', 'SOCK', 'TIMEOUT', 'TTL', 'TYPE', 'USER', 'VERSION',
])
const DIRECTORIES = new Set(['PWD', 'OLDPWD', 'INIT_CWD'])

/** Whether a variable of this name most likely holds a secret: `GITHUB_TOKEN`, `dbPassword`, not `SSH_AUTH_SOCK`. */
export function isSecretName(name: string): boolean {
  if (DIRECTORIES.has(name)) return false
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase().split(/[^A-Z0-9]+/)
    .filter(word => word !== '')
  const last = words.at(-1) ?? ''
  if (PLAIN_ENDS.has(last) && !(last === 'ID' && words.includes('SECRET'))) return false
  return words.some(word => SECRET_WORDS.has(word) || /(?:APIKEY|PASSWORD|PASSWD|SECRET|TOKEN)$/.test(word))
}
