import { nulFields } from './nul-fields.js'

export interface Commit {
  hash: string
  authorName: string
  authorEmail: string
  /** ISO 8601 with the author's offset. */
  date: string
  subject: string
  body: string
}

/** For `git log -z`: no field of a commit can hold a NUL. */
export const LOG_FORMAT = '--format=tformat:%H%x00%an%x00%ae%x00%aI%x00%s%x00%b'

/** Reads what `git log -z` prints in `LOG_FORMAT`. */
export function parseLog(output: Uint8Array): Commit[] {
  const fields = nulFields(output)
  const commits: Commit[] = []
  for (let at = 0; at + 6 <= fields.length; at += 6) {
    const [hash = '', authorName = '', authorEmail = '', date = '', subject = '', body = ''] = fields.slice(at, at + 6)
    commits.push({ hash, authorName, authorEmail, date, subject, body: body.replace(/\n+$/, '') })
  }
  return commits
}
