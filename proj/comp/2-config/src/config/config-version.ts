/** The version of the settings that this hermes reads and writes: the last of `MIGRATIONS`. */
export const CONFIG_VERSION = 1

/** How a new file begins: it says its version, so that nothing of it wants to be migrated. */
export const NEW_POLICY_FILE = '# Settings of hermes; hermes help policy describes them.\n\n'
  + `_config_version: ${CONFIG_VERSION}\n`
