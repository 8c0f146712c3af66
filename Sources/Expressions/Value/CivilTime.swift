/// Date and time of day in the proleptic Gregorian calendar, from seconds since 1970 (no leap seconds, as POSIX).
package struct CivilTime {
    package private(set) var year: Int
    package private(set) var month: Int
    package private(set) var day: Int
    package private(set) var hour: Int
    package private(set) var minute: Int
    package private(set) var second: Int
    /// 0 = Sunday.
    var weekday: Int
    /// 0 = the first of January.
    var dayOfYear: Int

    package init(seconds: Int64) {
        let split = Timestamp.floorDivide(seconds, 86_400)
        let days = Int(split.quotient)
        let rest = Int(split.remainder)
        (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
        weekday = ((days % 7) + 11) % 7
        // Days since 0000-03-01 fall into eras of 400 years; a year that starts in March has its leap day at the end.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfMarchYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfMarchYear + 2) / 153
        day = dayOfMarchYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        dayOfYear = days - CivilTime.days(year: year, month: 1, day: 1)
    }

    /// Days from 1970-01-01 to a date.
    static func days(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    static func daysInMonth(_ month: Int, year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}
