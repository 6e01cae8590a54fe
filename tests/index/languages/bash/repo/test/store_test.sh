. ../lib/store.sh

test_put() {
  store_put now /tmp
}
