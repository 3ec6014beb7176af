import { isDisk } from '../commands/paths.js'
import { always, when, type Rule } from './rule.js'
import { targetDanger } from './targets.js'

/** `dd`: overwrites what `of` names; also reading from a disk is reported. */
const dd: Rule = ({ args }) => {
  const target = args.find((arg) => arg.startsWith('of='))?.slice(3)
  if (args.some((arg) => isDisk(arg.replace(/^[io]f=/, '')))) return 'disk write'
  if (target === undefined || target === '/dev/null') return undefined
  return targetDanger(target)
}

/** Partition editors, unless they only list. */
const partitions: Rule = ({ args }) =>
  args.some((arg) => /^(?:-l|--list|-p|--print|print|-v|-V|--version|--help|-h|-s|-d|--dump)$/.test(arg))
  && !args.some((arg) => /^(?:mk|rm|resize|-Z|--zap)/.test(arg))
    ? undefined
    : 'disk format'

const format = always('disk format')

export const DISK_RULES: Readonly<Record<string, Rule>> = {
  dd,
  dc3dd: dd,
  dcfldd: dd,
  ddrescue: when(/\/dev\//, 'disk write'),
  pv: ({ args }) => (args.includes('-o') ? 'disk write' : undefined),
  mkfs: format,
  mke2fs: format,
  mkswap: format,
  wipefs: when(/-\w*[ao]|--all|--offset|--force/, 'disk format'),
  blkdiscard: format,
  mkdosfs: format,
  mkntfs: format,
  badblocks: when(/-\w*w/, 'disk format'),
  tune2fs: format,
  resize2fs: format,
  debugfs: when(/-w/, 'disk write'),
  fdisk: partitions,
  sfdisk: partitions,
  gdisk: partitions,
  sgdisk: partitions,
  cfdisk: partitions,
  parted: partitions,
  cryptsetup: when(/\b(?:luksFormat|erase|luksErase|luksKillSlot|reencrypt|luksRemoveKey)\b/, 'disk format'),
  lvremove: format,
  vgremove: format,
  pvremove: format,
  lvreduce: format,
  pvcreate: format,
  mdadm: when(/--(?:zero-superblock|create|stop|remove|fail)/, 'disk format'),
  zpool: when(/^(?:destroy|labelclear|create)\b/, 'disk format'),
  zfs: when(/^(?:destroy|rollback)\b/, 'disk format'),
  btrfs: when(/^sub\w* del/, 'recursive delete'),
  hdparm: when(/--(?:security-erase|yes-i-know|write-sector|trim-sector)/, 'disk format'),
  nvme: when(/^(?:format|sanitize|write)/, 'disk format'),
  diskutil: when(/^(?:erase|partition|zero|secureErase|reformat|apfs delete)/i, 'disk format'),
  diskpart: format,
  newfs: format,
  swapoff: always('system setting'),
  'grub-install': always('disk write'),
  efibootmgr: when(/-\w*[bB]\w*|--delete/, 'disk write'),
  flashrom: when(/-\w*[wE]/, 'disk write'),
  fastboot: when(/^(?:flash|erase|format|oem)/, 'disk format'),
}
