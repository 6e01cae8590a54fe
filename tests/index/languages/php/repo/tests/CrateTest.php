<?php

namespace Depot\Tests;

use Depot\Crate;

final class CrateTest
{
    public function testHeavy(): void
    {
        $crate = new Crate('a');
        $crate->add(Crate::filled());
        assert(!$crate->heavy());
    }
}
