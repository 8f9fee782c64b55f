import { describeStoreContract } from '@/testing/contracts/store-contract'
import { openMemoryStore } from '@/testing/worlds/memory-store'

describeStoreContract('InMemoryContextStore', openMemoryStore)
