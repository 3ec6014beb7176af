import { statfsSync, writeFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { contextFor } from '../../../5-executor/test/verbs/golden-harness.js'
import { realDisks } from '../../src/sys/disks.js'
import { sysMachineInfo } from '../../src/sys/machine-info.js'
import { parseFileSystems } from '../../src/sys/file-systems.js'
import { linuxName, macName } from '../../src/sys/operating-system.js'

describe('sys.machineInfo', () => {
  it('agrees with what the system says elsewhere', async () => {
    const info = v.parse(sysMachineInfo.result, await sysMachineInfo.handler({}, contextFor(tempDir(), 'disk')))
    expect(info.operatingSystem).toMatch(new RegExp(`^\\S.* \\S+ \\(${process.arch}\\)$`))
    expect(info.cpuCount).toBe(availableParallelism())
    expect(info.totalMemoryBytes / totalmem()).toBeCloseTo(1, 2)
    const names = info.disks.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name, totalBytes, freeBytes } of info.disks) {
      const { blocks, bsize } = statfsSync(name)
      expect(totalBytes / (blocks * bsize)).toBeCloseTo(1, 1)
      expect(freeBytes).toBeLessThanOrEqual(totalBytes)
    }
  })

  it('reads the version of macOS, and the rows of df', () => {
    const list = '<dict>\n\t<key>ProductName</key>\n\t<string>macOS</string>\n\t<key>ProductVersion</key>\n\t<string>14.5</string>'
    expect(macName(list)).toBe('macOS 14.5')
    const head = 'Filesystem Type 1024-blocks Used Available Capacity Mounted on\n'
    expect(parseFileSystems(`${head}//nas/my share cifs 200 100 100 50% /mnt/my share\nnone`, true)).toEqual([
      { fs: '//nas/my share', type: 'cifs', size: 204_800, available: 102_400, mount: '/mnt/my share' },
    ])
    expect(parseFileSystems(`${head}/dev/disk3s1s1 200 100 100 50% /\ndevfs 1 1 0 100% /dev\n`, false)).toMatchObject([
      { type: 'apfs', mount: '/' }, { type: 'devfs', mount: '/dev' },
    ])
  })

  it('ends when it is cancelled', async () => {
    const context = { ...contextFor(tempDir(), 'disk'), signal: AbortSignal.abort() }
    await expect(sysMachineInfo.handler({}, context)).rejects.toMatchObject({
      code: 'CANCELLED', message: 'sys.machineInfo: cancelled (CANCELLED)',
    })
  })

  it('takes no arguments', () => {
    expect(v.safeParse(sysMachineInfo.args, {}).success).toBe(true)
    expect(v.safeParse(sysMachineInfo.args, { path: '/' }).success).toBe(false)
  })
})

describe('disks', () => {
  const disk = (fs: string, type: string, mount: string, size = 100, available = 40) => (
    { fs, type, mount, size, available }
  )
  const named = (...names: string[]) => names.map(name => ({ name, totalBytes: 100, freeBytes: 40 }))

  it.each([
    ['bind mounts', [disk('/dev/sda1', 'ext4', '/var/lib/x'), disk('/dev/sda1', 'ext4', '/')], named('/')],
    ['memory', [disk('tmpfs', 'tmpfs', '/tmp'), disk('efivarfs', 'efivarfs', '/sys/firmware/efi/efivars')], []],
    ['a container', [disk('overlay', 'overlay', '/'), disk('/dev/sda1', 'ext4', '/etc/hosts')], named('/')],
    ['a container alone', [disk('overlay', 'overlay', '/'), disk('shm', 'tmpfs', '/dev/shm')], named('/')],
    ['overlays of containers', [
      disk('/dev/sda1', 'ext4', '/'), disk('overlay', 'overlay', '/var/lib/docker/x'),
    ], named('/')],
    ['one APFS container', [
      disk('/dev/disk3s1s1', 'APFS', '/'), disk('/dev/disk3s5', 'APFS', '/System/Volumes/Data'),
      disk('/dev/disk4s1', 'APFS', '/Volumes/USB'),
    ], named('/', '/Volumes/USB')],
    ['one ZFS pool', [disk('tank/home', 'zfs', '/tank/home'), disk('tank', 'zfs', '/tank')], named('/tank')],
    ['network shares', [
      disk('server:/export', 'nfs4', '/mnt'), disk('//server/share', 'cifs', '/smb'),
    ], named('/mnt', '/smb')],
    ['Windows', [disk('C:', 'NTFS', 'C:'), disk('D:', 'NTFS', 'D:')], named('C:', 'D:')],
    ['nothing to write to', [
      disk('map auto_home', 'autofs', '/home', 0, 0), disk('/dev/x', 'ext4', '/x', NaN, NaN),
    ], []],
  ])('of %s', (_, fileSystems, expected) => expect(realDisks(fileSystems)).toEqual(expected))
})

describe('the name of a Linux', () => {
  it.each([
    ['quoted', 'NAME="Debian GNU/Linux"\nVERSION_ID="12"\n', 'Debian GNU/Linux 12'],
    ['plain', '# a comment\nID=arch\nNAME=Arch\n', 'Arch'],
    ['in single quotes', "NAME='Some Linux'\nVERSION_ID='3.1'", 'Some Linux 3.1'],
    ['escaped', 'NAME="A \\"B\\" \\$5"\n', 'A "B" $5'],
    ['pretty only', 'PRETTY_NAME="Tiny 1"\n', 'Tiny 1'],
  ])('%s', (_, text, expected) => {
    const file = join(tempDir(), 'os-release')
    writeFileSync(file, text)
    expect(linuxName(['/no/such/file', file])).toBe(expected)
  })

  it.runIf(process.platform === 'linux')('is the kernel\'s where no file says it', () => {
    expect(linuxName(['/no/such/file'])).toMatch(/^Linux \d/)
  })
})
