import { isDisk, isHome, isStartupFile, isSystemPath, plainPath } from '../commands/paths.js'
import type { DangerName } from '../dangers.js'

/** The danger of writing to a path, if there is one. */
export function targetDanger(path: string | undefined): DangerName | undefined {
  if (path === undefined) return undefined
  const plain = plainPath(path)
  if (isDisk(path)) return 'disk write'
  if (plain === '/proc/sysrq-trigger') return 'system shutdown'
  if (/^\/(?:proc\/sys|sys)\//.test(plain)) return 'system setting'
  if (/^\/etc\/cron|^\/var\/spool\/cron/.test(plain)) return 'scheduled job change'
  if (isStartupFile(path)) return 'startup file change'
  if (/^\/var\/log\/|(?:^|\/)\.(?:bash|zsh)_history$/.test(plain)) return 'traces removed'
  return isSystemPath(path) || isHome(path) ? 'overwrite of a system file' : undefined
}
