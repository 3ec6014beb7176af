import { expect, it } from 'vitest'
import { mountOf, reachableMounts } from '../src/mount-table.js'

/** As the kernel writes it: id, parent, device, directory of the file system, place, flags, and more. */
const TABLE = String.raw`22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda rw
23 22 0:5 / /dev rw,nosuid - devtmpfs devtmpfs rw
24 23 0:6 / /dev/pts rw - devpts devpts rw
25 23 0:7 / /dev/pts rw,noexec - devpts devpts rw
26 22 0:8 / /data rw,noatime - tmpfs x rw
27 26 0:9 / /data/a\040b\134 ro,nodev - tmpfs x rw
28 26 0:10 / /data/below/deep rw - tmpfs x rw
29 26 0:11 / /data/below rw,nosuid - tmpfs x rw
30 22 0:12 / /srv rw - tmpfs x rw
31 30 0:13 / /srv/lost rw - tmpfs x rw
32 30 0:14 / /srv rw,nosymfollow - tmpfs x rw
`

it('what is covered by another mount cannot be reached, and flags are those of what can', () => {
  expect(reachableMounts(TABLE)).toEqual([
    { at: '/', flags: ['relatime'] },
    { at: '/dev', flags: ['nosuid'] },
    { at: '/dev/pts', flags: ['noexec'] },
    { at: '/data', flags: ['noatime'] },
    { at: '/data/a b\\', flags: ['ro', 'nodev'] },
    { at: '/data/below', flags: ['nosuid'] },
    { at: '/srv', flags: ['nosymfollow'] },
  ])
})

it('a path belongs to the innermost mount around it', () => {
  const mounts = reachableMounts(TABLE)
  for (const [path, at] of [['/', '/'], ['/data', '/data'], ['/data/x', '/data'], ['/database', '/'], ['/data/below/deep', '/data/below']] as const) {
    expect(mountOf(mounts, path)?.at).toBe(at)
  }
})
