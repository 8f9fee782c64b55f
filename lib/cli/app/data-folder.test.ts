import { expect, it } from 'vitest'
import { dataFolderOf, platformFolder } from './data-folder'

it.each([
  ['linux', {}, '/home/ada', '/home/ada/.local/share/ramify'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/home/ada', '/data/ramify'],
  ['linux', { XDG_DATA_HOME: 'data' }, '/home/ada', '/home/ada/.local/share/ramify'],
  ['darwin', { XDG_DATA_HOME: '/data' }, '/Users/ada', '/Users/ada/Library/Application Support/ramify'],
  ['win32', { LOCALAPPDATA: 'D:\\Local' }, 'C:\\Users\\ada', 'D:\\Local\\ramify'],
  ['win32', {}, 'C:\\Users\\ada', 'C:\\Users\\ada\\AppData\\Local\\ramify'],
] as const)(
  'given %s and the settings %j, then the data folder is where the platform has it',
  (platform, env, home, folder) => {
    expect(platformFolder(env, platform, home)).toBe(folder)
  },
)

it('given a data folder by a relative path, then it lies below the folder of the call', () => {
  expect(dataFolderOf({ RAMIFY_DATA_DIR: 'chats' }, '/home/ada/work')).toBe('/home/ada/work/chats')
})
