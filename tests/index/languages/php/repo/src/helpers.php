<?php

namespace Depot\Support;

const GRAMS = 1000;
define('DEPOT_OPEN', true);

function kilos(float $grams): float
{
    function rounded(float $number): float
    {
        return round($number, 2);
    }

    return rounded($grams / GRAMS);
}
