import type { DangerName } from '../dangers.js'
import { SECRET } from '../shell/taint.js'
import type { Call } from './call.js'
import { isEnvFile, isSecretFile } from './paths.js'

const READERS = (
  'cat tac head tail less more nl strings bat base64 base32 xxd od hexdump cp mv tar zip 7z gzip grep egrep rg awk sed '
  + 'cut sort paste openssl dd rsync ln install view diff'
).split(' ')
const SENDERS = (
  'curl wget nc ncat netcat telnet socat http https ftp lftp scp sftp rsync mail mailx sendmail ssh nslookup dig host '
  + 'ping aws gsutil rclone gh'
).split(' ')

/** Keys and passwords that a command prints, copies or sends. */
export function secretDanger({ name, args, stdin }: Call): DangerName | undefined {
  const isSending = SENDERS.includes(name)
  if (isSending && (stdin.includes(SECRET) || args.some((arg) => arg.includes(SECRET)))) return 'secrets sent'
  if (isSending && args.some((arg, at) => isSent(arg, args[at - 1] ?? '', name))) return 'secrets sent'
  const isReading = READERS.includes(name) && args.some((arg) => isSecretFile(arg.replace(/^if=/, '')))
  return isReading ? 'secrets read' : undefined
}

function isSent(arg: string, before: string, name: string): boolean {
  // The key that proves who asks is not sent.
  if (/^(?:-i|--key|-E|--cert|--cacert|-F|--private-key|--ssh-key)$/.test(before) && name !== 'curl') return false
  if (name === 'ssh' || /^(?:--key|--cert|-E)$/.test(before)) return false
  const path = arg
    .replace(/^[^@]*=?@/, '')
    .replace(/^(?:--(?:post-file|body-file|data-binary|data|upload-file)=)@?/, '')
  return isSecretFile(path) || isEnvFile(path) || (path !== arg && path.startsWith('/etc/'))
}
