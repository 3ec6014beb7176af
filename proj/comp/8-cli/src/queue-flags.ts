import type { Flag } from './arguments.js'

export const QUEUE_FLAG: Flag = {
  name: 'queue', value: 'URL', help: 'A queue on Redis: redis://host:6379/0 or rediss://user:password@host:6380/0',
}
export const STORE_FLAG: Flag = {
  name: 'store', value: 'DIR|S3',
  help: 'What workspaces go by: a shared directory, or s3://bucket/prefix',
}
export const QUEUE_STATUS_FLAG: Flag = {
  name: 'queue-status', help: 'Print how it stands with --queue and its dead letters, and do nothing else',
}
