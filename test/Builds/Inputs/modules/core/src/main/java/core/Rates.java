package core;

import java.util.Map;
import java.util.TreeMap;

public class Rates {
    private final Map<String, Double> all = new TreeMap<>();

    public Rates put(String currency, double rate) {
        all.put(currency, rate);
        return this;
    }

    public double of(String currency) {
        switch (currency) {
            case "EUR":
                return 1;
            case "GBP":
            case "USD":
                return all.getOrDefault(currency, 1.1);
            default:
                Double rate = all.get(currency);
                return rate == null ? Double.NaN : rate;
        }
    }
}
