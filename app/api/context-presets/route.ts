import { createPreset, listPresets } from '@/lib/server/api/context-presets'
import { routeOf } from '@/lib/server/api/operation'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(listPresets, createPreset)
