import { always, when, type Rule } from './rule.js'

const account = always('account change')

export const ACCOUNT_RULES: Readonly<Record<string, Rule>> = {
  useradd: account,
  adduser: account,
  userdel: account,
  deluser: account,
  usermod: account,
  groupadd: account,
  groupdel: account,
  groupmod: account,
  gpasswd: account,
  chpasswd: account,
  chage: when(/-[^l]/, 'account change'),
  vipw: account,
  visudo: when(/^(?!.*-c)/, 'account change'),
  passwd: when(/^(?!.*(?:-S|--status))/, 'account change'),
  newusers: account,
  dscl: when(/-(?:create|delete|passwd|append|change)/, 'account change'),
  sysadminctl: account,
  net: when(/^(?:user|localgroup)\s.*\/(?:add|delete)|^stop\b/i, 'account change'),
  su: ({ args }) => (args.every((arg) => /^(?:-|-l|--login|root)$/.test(arg)) ? 'root shell' : undefined),
}
