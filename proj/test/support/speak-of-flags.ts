import { nameSettingsBy } from '../../comp/0-contracts/src/setting-names.js'

// Cases state messages as the command prints them.
nameSettingsBy('flags')
