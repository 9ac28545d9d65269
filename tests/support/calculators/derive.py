#!/usr/bin/env python3
"""What each calculator should find, derived by other routes than the product's formulas: pools are traded with until their
price is right, loans and positions are moved to the price at which they break, interest is added payment by payment.
Writes expected.json beside it: python3 tests/support/calculators/derive.py
"""
import json
import os
from decimal import Decimal as D, getcontext
from fractions import Fraction as F

getcontext().prec = 130
ROUNDS = 520


def bisect(is_above, low, high):
    """The value between low and high at which `is_above` turns true. Halves the exponent first, where both are far apart."""
    low, high = D(low), D(high)
    for _ in range(ROUNDS):
        middle = (low * high).sqrt() if low > 0 and high / low > 4 else (low + high) / 2
        if is_above(middle):
            high = middle
        else:
            low = middle
        if high - low == 0:
            break
    return (low + high) / 2


def impermanent_loss(v):
    deposit, then, now = D(v["in"]), D(v["was"]), D(v["now"])
    if v.get("kind", "full") == "full":
        tokens, dollars = deposit / 2 / then, deposit / 2
        product = tokens * dollars
        # Somebody trades with the pool until it sells at the price of now.
        left = bisect(lambda x: product / x / x < now, tokens / D(10) ** 60, tokens * D(10) ** 60)
        held = tokens * now + dollars
        pooled = left * now + product / left
    else:
        low, high = D(v["low"]), D(v["high"])

        def reserves(liquidity, price):
            """Virtual reserves whose product is the liquidity squared, less what the range keeps out of reach."""
            price = min(max(price, low), high)
            virtual = bisect(lambda x: liquidity * liquidity / x / x < price, liquidity / D(10) ** 60, liquidity * D(10) ** 60)
            edge = bisect(lambda x: liquidity * liquidity / x / x < high, liquidity / D(10) ** 60, liquidity * D(10) ** 60)
            floor = bisect(lambda x: liquidity * liquidity / x / x < low, liquidity / D(10) ** 60, liquidity * D(10) ** 60)
            return virtual - edge, liquidity * liquidity / virtual - liquidity * liquidity / floor

        one = reserves(D(1), then)
        liquidity = deposit / (one[0] * then + one[1])
        tokens, dollars = (part * liquidity for part in one)
        later = [part * liquidity for part in reserves(D(1), now)]
        held = tokens * now + dollars
        pooled = later[0] * now + later[1]
    return {"loss": (pooled - held) / held, "held": held, "pooled": pooled, "fees": (held - pooled) / pooled}


def grown(rate, times):
    """One, with interest added so many times."""
    if times <= 5000:
        sum_ = D(1)
        for _ in range(times):
            sum_ += sum_ * rate / times
        return sum_
    return ((1 + rate / times).ln() * times).exp()


def apr_apy(v):
    times, given = int(v["times"]), D(v["rate"]) / 100
    if v["from"] == "apr":
        apr, apy = given, grown(given, times) - 1
    elif given == 0:
        apr, apy = D(0), D(0)
    else:
        apr, apy = bisect(lambda r: grown(r, times) - 1 > given, D("1e-30") * given, given * 2), given
    return {"apr": apr, "apy": apy, "gained": D(v["in"]) * apy}


def lp_fees(v):
    mine, others, fee = F(v["in"]), F(v["others"]), F(v["fee"]) / 100
    swap = F(v["volume"]) / 24
    earned = daily = F(0)
    for day in range(int(v["days"])):
        for _ in range(24):  # one swap an hour, each paying its fee to all
            earned += swap * fee * mine / (mine + others)
        if day == 0:
            daily = earned
    return {"share": 1 - others / (mine + others), "daily": daily, "earned": earned, "apr": daily * 365 / mine}


def lending(v):
    tokens, price, threshold, debt = D(v["tokens"]), D(v["price"]), D(v["threshold"]) / 100, D(v["debt"])
    if debt == 0:
        return {"health": None, "liquidation": None, "left": tokens * price * threshold}
    at = bisect(lambda p: tokens * p * threshold > debt, D("1e-60"), D("1e60"))
    # How many times the debt could be as large before it is not covered any longer.
    health = bisect(lambda h: h * debt > tokens * price * threshold, D("1e-60"), D("1e60"))
    return {"health": health, "liquidation": at, "fall": (at - price) / price, "used": debt / tokens / price}


def perpetual(v):
    margin, entry, keep = D(v["margin"]), D(v["entry"]), D(v["maintenance"]) / 100
    side = 1 if v["side"] == "long" else -1
    tokens = margin * D(v["leverage"]) / entry
    paid = D(0)
    for _ in range(int(v["payments"])):
        paid += tokens * entry * D(v["funding"]) / 100 * side

    def broken_at(own):
        spare = lambda p: own + side * tokens * (p - entry) - keep * tokens * p
        if side == 1:
            return None if spare(D("1e-40") * entry) >= 0 else bisect(lambda p: spare(p) > 0, entry * D("1e-40"), entry * D("1e6"))
        return None if spare(D("1e-40") * entry) <= 0 else bisect(lambda p: spare(p) < 0, entry * D("1e-40"), entry * D("1e6"))

    return {"liquidation": broken_at(margin), "paid": paid, "afterFunding": broken_at(margin - paid), "tokens": tokens}


def staking(v):
    tokens, supply = D(v["tokens"]), D(1)
    daily = D(v["rate"]) / 100 / 365
    kept = 1 - D(v["commission"]) / 100
    staked, paid = tokens, D(0)
    days = int(v["days"])
    for _ in range(days):
        reward = staked * daily * kept
        if v["rewards"] == "restaked":
            staked += reward
        else:
            paid += reward
    earned = staked - tokens + paid
    supply = ((1 + D(v["supply"]) / 100).ln() * days / 365).exp()
    return {"earned": earned, "worth": earned * D(v["price"]), "share": (tokens + earned) / tokens / supply - 1}


def cost_averaging(v):
    each, count, price, last = F(v["each"]), int(v["count"]), F(v["first"]), F(v["last"])
    step = (last - price) / (count - 1) if count > 1 else F(0)
    tokens, average = F(0), F(0)
    for _ in range(count):  # the average of what one has, moved by each purchase
        bought = each / price
        average = (average * tokens + price * bought) / (tokens + bought)
        tokens += bought
        price += step
    worth = tokens * F(v["now"])
    return {"tokens": tokens, "average": average, "worth": worth, "gain": (worth - each * count) / (each * count)}


def price_impact(v):
    amount, fee, x, y = D(v["amount"]), D(v["fee"]) / 100, D(v["reserveIn"]), D(v["reserveOut"])
    kept = amount - amount * fee
    # The pool lets go of as much as leaves its product as it was.
    left = bisect(lambda rest: (x + kept) * rest > x * y, y * D("1e-50"), y)
    received = y - left
    return {
        "received": received,
        "impact": 1 - received / kept * x / y,
        "average": received / amount,
        "lost": (amount * y / x - received) / (amount * y / x),
        "after": left / (x + amount),
    }


def gas_cost(v):
    wei = lambda gwei: F(gwei) * 10**9
    each = int(v["gas"]) * (wei(v["base"]) + wei(v["tip"]))
    total = each * int(v["count"])
    following = int(v["gas"]) * (wei(v["base"]) + wei(v["base"]) / 8 + wei(v["tip"])) * int(v["count"])
    ether = F(1, 10**18)
    return {
        "each": each * ether,
        "total": total * ether,
        "cost": total * ether * F(v["price"]),
        "next": following * ether * F(v["price"]),
    }


def position_size(v):
    entry, stop, target, fee = D(v["entry"]), D(v["stop"]), D(v["target"]), D(v["fee"]) / 100
    risk = D(v["account"]) * D(v["risk"]) / 100

    def result(tokens, leave):
        moved = tokens * (leave - entry) * (1 if stop < entry else -1)
        return moved - tokens * entry * fee - tokens * leave * fee

    tokens = bisect(lambda t: -result(t, stop) > risk, D("1e-60"), D("1e60"))
    return {"tokens": tokens, "size": tokens * entry, "gain": result(tokens, target), "leverage": tokens * entry / D(v["account"])}


def points(names, rows):
    return [dict(zip(names.split(), row.split())) for row in rows.strip().splitlines()]


TABLE = {
    "impermanent-loss": (impermanent_loss, points("kind in was now", """
        full 1000 2000 3000
        full 1000 2000 2000
        full 1000 2000 1000
        full 1 1 4
        full 250000 0.0001 0.000025
        full 1000 1 1.000000000001
        full 1000 1 0.999999999999
        full 1000 1 1000000000000000000
        full 1000 1 0.000000000000000001
        full 0.000000000001 3 7
        full 1000000000000000000 123.456 654.321
        full 777.77 0.000000001 0.000000005
        full 10 99999.99 100000.01""") + points("kind in was now low high", """
        concentrated 1000 2000 3000 1500 4000
        concentrated 1000 2000 2000 1500 4000
        concentrated 1000 2000 1000 1500 4000
        concentrated 1000 2000 9000 1500 4000
        concentrated 1000 1000 2000 1500 4000
        concentrated 1000 5000 2000 1500 4000
        concentrated 1000 1500 1500 1500 4000
        concentrated 1000 4000 1500 1500 4000
        concentrated 1000 2000 2001 1999 2001.5
        concentrated 1000 2000 3000 0.000001 1000000000000
        concentrated 1000000000000000000 0.5 0.7 0.4 0.9
        concentrated 0.00001 1 1.000000001 0.999 1.001
        concentrated 42 30000 28000 27000 31000""")),
    "apr-apy": (apr_apy, points("from rate times in", """
        apr 12 12 1000
        apr 0 365 1000
        apr 5 1 1000
        apr 7.25 365 2500
        apr 100 8760 1000
        apr 1000 52 1
        apr 1000000 365 1000
        apr 0.000000000001 365 1000000000000
        apr 4 31536000 1000
        apr 3.5 4 0
        apy 12 12 1000
        apy 0 12 1000
        apy 100 365 1000
        apy 5 1 1000
        apy 0.0000001 52 1000
        apy 9.9 8760 1000
        apy 1000000 12 1000
        apy 4.25 31536000 1000""")),
    "lp-fees": (lp_fees, points("in others volume fee days", """
        1000 999000 500000 0.3 30
        1000 5000000 2000000 0.3 30
        1000 0 2000000 0.3 1
        1000 5000000 0 0.3 30
        1000 5000000 2000000 0 30
        1000 5000000 2000000 100 365
        0.000000000001 5000000 2000000 0.05 7
        1000000000000000000 1 1 1 3
        1 1000000000000000000 1000000000000000000 0.01 3
        333.33 777.77 123.456 0.25 90
        50000 50000 1000000 1 14
        12.5 87.5 0.000001 0.3 3650
        999999.999 0.001 31337 0.05 28""")),
    "lending": (lending, points("tokens price threshold debt", """
        2 3000 80 3000
        2 3000 80 4800
        2 3000 80 0
        2 3000 80 6000
        2 3000 100 5999.99
        1 1 82.5 0.825
        0.000000000001 60000 75 0.00000001
        1000000000000000000 0.000001 65 1000000
        1.5 100 0.01 3
        10 0.0000001 50 1000000
        7 12345.678 78.5 0.000000001
        3.3333333333 2718.281828 61.8 3141.5926535
        250 4 90 899.9999999999""")),
    "perpetual": (perpetual, points("side margin leverage entry maintenance funding payments", """
        long 500 10 3000 1 0.01 3
        short 500 10 3000 1 0.01 3
        long 500 1 3000 0 0 0
        long 500 1 3000 1 0.01 3
        short 500 1 3000 0 -0.05 21
        long 100 50 60000 0.5 0.1 90
        short 100 50 60000 0.5 0.1 90
        long 100 99.9 60000 1 0 0
        long 0.000001 25 0.00001 2 -0.2 10
        short 1000000000000000000 3 1000000000000000000 5 0.001 1
        long 1000 1.5 1 50 0.01 0
        short 750 20 1.2345 2.5 -0.375 8
        long 500 10 3000 1 4 3
        long 500 1000 3000 0 0.01 2""")),
    "staking": (staking, points("rewards tokens price rate commission days supply", """
        paid 100 10 5 10 365 0
        restaked 32 3000 4 10 365 0
        restaked 32 3000 0 10 365 0
        restaked 32 3000 4 100 365 7
        paid 32 3000 4 0 1 0
        restaked 1 0 10000 0 365 0
        restaked 1000000000000000000 0.000001 19.5 5 730 8
        paid 0.000000000001 60000 7 2.5 90 3
        restaked 500 2.5 12 8 36500 2
        paid 500 2.5 12 8 3650 2
        restaked 77.7 33.3 0.0000001 1 28 0.5
        restaked 1 1 4 10 365 3.6
        paid 12345.6789 0.0987 15.55 7.77 123 10000""")),
    "cost-averaging": (cost_averaging, points("each count first last now", """
        100 2 2000 4000 3000
        100 12 2000 4000 3000
        100 12 3000 3000 3000
        100 1 2000 9999 4000
        100 1000 50000 20000 60000
        0.000000000001 52 1 2 3
        1000000000000000000 10 0.01 0.02 0.005
        25 365 0.0000001 0.0000009 0.0000004
        50 7 1 1000000000000000000 1
        10 24 4000 1 0.0001
        33.33 36 27182.81 31415.92 29000
        1 3 1 2 1.5
        200 500 100 100.0000000001 100""")),
    "price-impact": (price_impact, points("amount fee reserveIn reserveOut", """
        100 0 900 900
        10 0.3 1000 3000000
        0.000000000001 0.3 1000 3000000
        1000000000000000000 0.3 1000 3000000
        10 99.99 1000 3000000
        1000 0 1000 3000000
        1 0.05 0.000001 1000000
        5 1 1000000000000000000 1000000000000000000
        250 0.25 12345.678 98765.4321
        7 0.3 7 0.0000007
        33.333 0.01 66.667 100
        0.5 3 2 8
        1000000 0.3 100 100""")),
    "gas-cost": (gas_cost, points("gas base tip price count", """
        21000 10 2 2000 1
        21000 20 1 3000 1
        21000 0 0 3000 1
        1 0.000000001 0 3000 1
        1000000000 1000000000000 1000000000000 1000000000000000000 1000000000
        184523 7.123456789 0.01 2718.28 3
        65000 50 1.5 0 10
        30000000 1000 0 4321.09 1
        21000 0.000007 0.000001 1500.5 250
        123456 33.3 2.2 1999.99 7
        21001 15 0.1 0.000001 1
        250000 88.88 8.888 3333.33 12""")),
    "position-size": (position_size, points("account risk entry stop target fee", """
        10000 1 3000 2900 3200 0
        10000 1 3000 2850 3450 0.1
        10000 1 3000 3150 2550 0.1
        10000 100 3000 2999.99 3000.01 0
        500 2 60000 54000 90000 0.05
        500 2 60000 66000 30000 0.05
        0.000001 0.5 1 0.9 1.2 0.3
        1000000000000000000 0.0001 0.000001 0.0000009 0.000002 0.1
        2500 1.5 1.0001 1 1.0004 0
        2500 1.5 1.0001 1 1.0004 50
        777 0.77 123.45 120.01 130.99 0.075
        10000 1 3000 0.000001 9000 0.1
        1 1 100000000000000000 90000000000000000 100000000000000001 0.1""")),
}


def text(value):
    """Thirty digits, or none where what is left of a difference is less than the last of them."""
    if value is None:
        return None
    if isinstance(value, F):
        value = D(value.numerator) / D(value.denominator)
    if abs(value) < D("1e-60"):
        return "0"
    return format(+value.quantize(D(1).scaleb(value.adjusted() - 29)), "e")


found = {
    name: [{"values": one, "expected": {key: text(value) for key, value in derive(one).items()}} for one in cases]
    for name, (derive, cases) in TABLE.items()
}
for name, cases in found.items():
    assert len(cases) >= 12, name
with open(os.path.join(os.path.dirname(__file__), "expected.json"), "w", encoding="utf-8") as file:
    json.dump(found, file, indent=1)
    file.write("\n")
