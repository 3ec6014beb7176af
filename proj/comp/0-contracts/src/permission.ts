/** `ask`: each call needs an approval; `off`: none runs. */
export type Permission = 'on' | 'ask' | 'off'
