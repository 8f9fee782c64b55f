import { describeMoveProperties } from '@/testing/properties/move-properties'
import { openMemoryStore } from '@/testing/worlds/memory-store'

describeMoveProperties('InMemoryContextStore', openMemoryStore, { runs: 20, length: 200 })
