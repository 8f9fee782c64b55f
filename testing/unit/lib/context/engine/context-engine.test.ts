import { describeEngineContract } from '@/testing/contracts/engine-contract'
import { openMemoryStore } from '@/testing/worlds/memory-store'

describeEngineContract('InMemoryContextStore', openMemoryStore)
