import { describeEngineContract } from '@/testing/contracts/engine-contract'
import { describeStoreContract } from '@/testing/contracts/store-contract'
import { onEachDatabase } from '@/testing/worlds/open-stores'

onEachDatabase('the store', ({ name, open }) => {
  describeStoreContract(`DrizzleContextStore on ${name}`, open)
  describeEngineContract(`ContextEngine on ${name}`, open)
})
